/* Solves random systems (systems.h) with options.singular, and validates each by its residual in long double:
 * ||b - b_N - A x||, where b_N is the part of b along the given vectors. Prints a line for each: the seed,
 * the kind, the reason, the iterations, a hash of x, ||A^T N|| ||x|| and the residual, both over the
 * tolerance, and a verdict:
 *
 *     fine
 *     FALSE    CONVERGED, and the residual is above 1.05 of the tolerance (except if is_warned)
 *     WRONG    NOT_SINGULAR, though that product is at most a tenth of the tolerance, which is above rounding
 *     LOST     not CONVERGED, though it must be (must_converge), unless the detail says that only the scaled
 *              norm misses the tolerance
 *     UNTRUE   the reported residual differs by more than rounding
 *     FAILED   the call failed, and not because A is not singular as claimed
 *
 * Returns 1 unless all are fine. For thousands: null_space_walk DEVICE FIRST_SEED LAST_SEED */
#include "tests/null_space/systems.h"
#include "vksolve/vksolve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPERATOR = VKS_FORMAT_COUNT_ }; /* in place of a format */

struct trial {
    struct random random;
    struct claimed q;
    vks_context *c;
    vks_precision precision; /* of A */
    int format;
    vks_solve_options options;
    uint32_t *row, *col;
    double *val, *b, *x;
    vks_array *array[3];
    vks_matrix *A;
    vks_vector *vb, *vx, *v[MOST_VECTORS];
};

static void *need(size_t bytes)
{
    void *p = calloc(bytes + 1, 1);
    if (!p)
        abort();
    return p;
}

static void fill_csr(struct trial *t)
{
    uint32_t n = t->q.n, count = 0;
    t->row = need(4 * ((size_t)n + 1));
    t->col = need(4 * (size_t)n * n);
    t->val = need(8 * (size_t)n * n);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++)
            if (i == j || t->q.a[(size_t)i * n + j] != 0) {
                t->col[count] = j;
                t->val[count++] = t->q.a[(size_t)i * n + j];
            }
        t->row[i + 1] = count;
    }
}

/* b = A x, or arbitrary, plus a part in the null space; and an x0. */
static void fill_sides(struct trial *t)
{
    struct random *r = &t->random;
    uint32_t n = t->q.n, consistent = below(r, 2);
    double more = below(r, 2) ? decades(r, -6, 3) : 0, start = below(r, 2) ? decades(r, -2, 4) : 0;
    t->b = need(8 * (size_t)n);
    t->x = need(8 * (size_t)n);
    for (uint32_t i = 0; i < n; i++)
        t->x[i] = around(r);
    for (uint32_t i = 0; i < n; i++) {
        t->b[i] = consistent ? 0 : t->x[i];
        for (uint32_t j = 0; consistent && j < n; j++)
            t->b[i] += t->q.a[(size_t)i * n + j] * t->x[j];
    }
    for (uint32_t i = 0; i < n; i++) {
        t->b[i] += more * t->q.v[i];
        t->x[i] = start * around(r);
        if (t->precision == VKS_F32) {
            t->b[i] = (float)t->b[i];
            t->x[i] = (float)t->x[i];
        }
    }
}

static void draw(struct trial *t, bool operators)
{
    static const vks_precond_kind preconds[] = {VKS_PRECOND_NONE, VKS_PRECOND_JACOBI,
                                                VKS_PRECOND_BLOCK_JACOBI};
    static const int formats[] = {VKS_FORMAT_CSR, VKS_FORMAT_AUTO,      VKS_FORMAT_BALANCED, VKS_FORMAT_SELL,
                                  VKS_FORMAT_BSR, VKS_FORMAT_COO,       VKS_FORMAT_CSC,      VKS_FORMAT_ELL,
                                  OPERATOR,       VKS_FORMAT_CSR_CACHED};
    struct random *r = &t->random;
    t->precision = (vks_precision[]){VKS_F64, VKS_F64, VKS_MIXED, VKS_F32}[below(r, 4)];
    t->q = claimed_create(r, t->precision == VKS_F32 || below(r, 4) == 0);
    t->format = formats[below(r, sizeof formats / sizeof *formats)];
    if (t->format == OPERATOR && (!operators || t->precision == VKS_F32))
        t->format = VKS_FORMAT_CSR;
    t->options = (vks_solve_options){.singular = 1, .max_iterations = 3000};
    t->options.rtol = decades(r, t->precision == VKS_F32 ? -6 : -12, -3);
    t->options.zero_guess = below(r, 2) == 0;
    if (below(r, 4) == 0) {
        t->options.method = VKS_METHOD_JACOBI;
        t->options.weight = 0.7;
    } else {
        t->options.precond = preconds[below(r, 3)];
        t->options.iterate_in_f32 = t->precision != VKS_F32 && below(r, 3) == 0;
    }
    if (t->format == OPERATOR) { /* without diagonal and f32 */
        t->options.precond = VKS_PRECOND_NONE;
        t->options.iterate_in_f32 = 0;
        t->options.method = VKS_METHOD_CG;
        t->options.weight = 0;
        t->precision = VKS_F64;
    }
    fill_csr(t);
    fill_sides(t);
}

static void rows(const vks_operator_view *A, uint32_t first, uint32_t count, const double *x, double *y)
{
    const uint32_t *row = A->array[0], *col = A->array[1];
    const double *val = A->array[2];
    for (uint32_t i = first; i < first + count; i++) {
        y[i] = 0;
        for (uint32_t k = row[i]; k < row[i + 1]; k++)
            y[i] += val[k] * x[col[k]];
    }
}

static vks_status make_array(struct trial *t, int k, vks_type type, uint32_t n, const void *values)
{
    vks_status s = vks_array_create(t->c, n, type, &t->array[k]);
    return s ? s : vks_array_write(t->array[k], 0, n, values);
}

static vks_status make_operator(struct trial *t)
{
    uint32_t n = t->q.n, entries = t->row[n];
    vks_operator o = {.rows_f64 = rows};
    vks_status s = make_array(t, 0, VKS_TYPE_U32, n + 1, t->row);
    if (!s)
        s = make_array(t, 1, VKS_TYPE_U32, entries, t->col);
    if (!s)
        s = make_array(t, 2, VKS_TYPE_F64, entries, t->val);
    for (int k = 0; k < 3; k++)
        o.array[k] = t->array[k];
    return s ? s : vks_operator_create(t->c, n, &o, &t->A);
}

static vks_status make_matrix(struct trial *t)
{
    if (t->format == OPERATOR)
        return make_operator(t);
    vks_matrix_options o = {.precision = t->precision,
                            .storage = {.format = (vks_format)t->format, .padding = 1000}};
    o.storage.lean = below(&t->random, 4) == 0;
    return vks_matrix_from_csr(t->c, t->q.n, t->q.n, t->row, t->col, t->val, &o, &t->A);
}

static vks_status make_vector(struct trial *t, const double *values, vks_vector **v)
{
    vks_precision p = t->precision == VKS_F32 ? VKS_F32 : VKS_F64;
    vks_status s = vks_vector_create(t->c, t->q.n, p, v);
    return s ? s : vks_vector_write(*v, 0, t->q.n, VKS_F64, values);
}

static vks_status solve(struct trial *t, vks_solve_report *report)
{
    const vks_vector *space[MOST_VECTORS];
    vks_status s = make_matrix(t);
    if (!s)
        s = make_vector(t, t->b, &t->vb);
    if (!s)
        s = make_vector(t, t->x, &t->vx);
    for (uint32_t i = 0; !s && i < t->q.vectors; i++) {
        s = make_vector(t, t->q.v + (size_t)i * t->q.n, &t->v[i]);
        space[i] = t->v[i];
    }
    bool constants = t->q.vectors == 1 && t->q.v[0] == 1 && below(&t->random, 2);
    t->options.null_space = constants ? NULL : space;
    t->options.null_space_count = constants ? 0 : t->q.vectors;
    if (!s)
        s = vks_solve(t->A, t->vb, t->vx, &t->options, report);
    return s ? s : vks_vector_read(t->vx, 0, t->q.n, VKS_F64, t->x);
}

/* The same quantities in long double. */
struct truth {
    long double b;        /* ||b - b_N|| */
    long double residual; /* ||b - b_N - A x|| */
    long double target;   /* its upper limit */
    long double reach;    /* ||A^T N|| ||x|| */
    long double rounding; /* of a residual that is computed in doubles */
    long double scaled;   /* P r with rows divided by their sizes, over P b divided likewise */
    long double part;     /* the norm of r - P r, the part of A x along the null space */
};

/* Removes from y its parts along the first `count` vectors of w, which are orthonormal. */
static void take_out(const long double *w, uint32_t count, uint32_t n, long double *y)
{
    for (uint32_t i = 0; i < count; i++) {
        long double part = 0;
        for (uint32_t k = 0; k < n; k++)
            part += w[(size_t)i * n + k] * y[k];
        for (uint32_t k = 0; k < n; k++)
            y[k] -= part * w[(size_t)i * n + k];
    }
}

static long double norm(const long double *y, uint32_t n)
{
    long double square = 0;
    for (uint32_t k = 0; k < n; k++)
        square += y[k] * y[k];
    return sqrtl(square);
}

/* An orthonormal basis of the claimed vectors, in the precision of the vectors. */
static long double *basis(const struct trial *t)
{
    uint32_t n = t->q.n;
    long double *w = need(sizeof *w * t->q.vectors * n);
    for (uint32_t i = 0; i < t->q.vectors; i++) {
        long double *v = w + (size_t)i * n;
        for (uint32_t k = 0; k < n; k++) {
            double value = t->q.v[(size_t)i * n + k];
            v[k] = t->precision == VKS_F32 ? (float)value : value;
        }
        for (int pass = 0; pass < 2; pass++) {
            take_out(w, i, n, v);
            long double size = norm(v, n);
            for (uint32_t k = 0; k < n; k++)
                v[k] /= size;
        }
    }
    return w;
}

/* The norm of y with its rows divided by the largest magnitudes in A, rounded to powers of two. */
static long double scaled_norm(const struct trial *t, const long double *y)
{
    uint32_t n = t->q.n;
    long double square = 0;
    for (uint32_t i = 0; i < n; i++) {
        double largest = 0;
        for (uint32_t j = 0; j < n; j++)
            largest = fmax(largest, fabs(t->q.a[(size_t)i * n + j]));
        long double part = largest > 0 ? ldexpl(y[i], -(int)lround(log2(largest))) : y[i];
        square += part * part;
    }
    return sqrtl(square);
}

static struct truth find_truth(const struct trial *t)
{
    uint32_t n = t->q.n;
    long double *w = basis(t), *r = need(sizeof *r * n), *x = need(sizeof *x * n), *b = need(sizeof *b * n),
                image = 0, size = 0;
    for (uint32_t i = 0; i < n; i++) {
        r[i] = t->b[i];
        x[i] = t->x[i];
    }
    struct truth out = {.rounding = 16 * 0x1p-53L * norm(r, n)};
    take_out(w, t->q.vectors, n, r);
    out.b = norm(r, n);
    memcpy(b, r, sizeof *b * n);
    out.target = t->options.rtol * out.b;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            r[i] -= (long double)t->q.a[(size_t)i * n + j] * x[j];
            size += (long double)t->q.a[(size_t)i * n + j] * t->q.a[(size_t)i * n + j];
        }
    for (uint32_t m = 0; m < t->q.vectors; m++)
        for (uint32_t j = 0; j < n; j++) {
            long double sum = 0;
            for (uint32_t i = 0; i < n; i++)
                sum += w[(size_t)m * n + i] * t->q.a[(size_t)i * n + j];
            image += sum * sum;
        }
    out.residual = norm(r, n);
    take_out(w, t->q.vectors, n, r);
    out.part = sqrtl(fmaxl(out.residual * out.residual - norm(r, n) * norm(r, n), 0));
    out.scaled = scaled_norm(t, r) / scaled_norm(t, b);
    out.reach = sqrtl(image) * norm(x, n);
    out.rounding += 16 * 0x1p-53L * sqrtl(size) * norm(x, n);
    free(w);
    free(r);
    free(x);
    free(b);
    return out;
}

/* Whether conjugate gradients must converge: A is singular as claimed, and the tolerance exceeds both the
 * rounding of residuals in the precision of the iteration, and ten times A x for the x in the null space,
 * since the entries of A are rounded. Blocks of block-Jacobi may be singular themselves. The rounding of the
 * first x says nothing about that of a solution. */
static bool must_converge(const struct trial *t, const struct truth *is, const vks_solve_report *report)
{
    bool singular = !strcmp(t->q.kind, "grid") || !strcmp(t->q.kind, "truss");
    bool in_f32 = t->precision == VKS_F32 || t->options.iterate_in_f32;
    long double own = (in_f32 ? 0x1p29L : 1) * is->rounding;
    bool is_first = report->true_residual == report->initial_residual;
    return singular && !is_first && t->options.method != VKS_METHOD_JACOBI &&
           t->options.precond != VKS_PRECOND_BLOCK_JACOBI && own <= is->target &&
           is->reach <= 0.1L * is->target;
}

/* Whether a warning permits a residual above the tolerance: rows differ in size, the part of A x along the
 * null space is below the tolerance, and the rest satisfies it with rows divided by their sizes. */
static bool is_warned(const struct trial *t, const struct truth *is, const vks_solve_report *report)
{
    return strstr(report->warning, "rows of A differ in size") && is->scaled <= 1.05L * t->options.rtol &&
           is->part <= 1.05L * is->target;
}

static const char *verdict(const struct trial *t, const struct truth *is, const vks_solve_report *report)
{
    bool has_rhs = is->b > is->rounding, above = is->rounding <= is->target;
    long double off = fabsl(report->true_residual * is->b - is->residual);
    bool meets = is->residual <= 1.05L * is->target + is->rounding;
    if (report->reason == VKS_REASON_CONVERGED && !meets && !is_warned(t, is, report))
        return "FALSE";
    if (!strcmp(vks_reason_name(report->reason), "NOT_SINGULAR") && is->reach <= 0.1L * is->target && above)
        return "WRONG";
    bool is_near = meets && strstr(report->detail, "rows divided by their sizes");
    if (report->reason != VKS_REASON_CONVERGED && !is_near && must_converge(t, is, report))
        return "LOST";
    if (has_rhs && isfinite(is->residual) && !(off <= 1e-6L * is->residual + is->rounding))
        return "UNTRUE";
    return "fine";
}

static uint64_t hash(const double *x, uint32_t n)
{
    const unsigned char *byte = (const unsigned char *)x;
    uint64_t h = 1469598103934665603u; /* FNV-1a */
    for (size_t k = 0; k < 8 * (size_t)n; k++)
        h = (h ^ byte[k]) * 1099511628211u;
    return h;
}

static void trial_free(struct trial *t)
{
    for (uint32_t i = 0; i < MOST_VECTORS; i++)
        vks_vector_destroy(t->v[i]);
    vks_vector_destroy(t->vx);
    vks_vector_destroy(t->vb);
    vks_matrix_destroy(t->A);
    for (int k = 0; k < 3; k++)
        vks_array_destroy(t->array[k]);
    claimed_free(&t->q);
    free(t->row);
    free(t->col);
    free(t->val);
    free(t->b);
    free(t->x);
}

static bool walk(vks_context *c, uint64_t seed, bool operators)
{
    struct trial t = {.random = {seed}, .c = c};
    vks_solve_report report;
    draw(&t, operators);
    vks_status s = solve(&t, &report);
    bool refused = s == VKS_INVALID_ARGUMENT && strstr(vks_context_message(c), "have the given null space");
    const char *word = refused ? "fine" : "FAILED";
    struct truth is = {0};
    if (!s) {
        is = find_truth(&t);
        word = verdict(&t, &is, &report);
    }
    long double unit_of = is.target > 0 ? is.target : 1;
    printf("%llu\t%s\t%s\t%u\t%016llx\t%.3Lg\t%.5Lg\t%.5g\t%s%s%s\n", (unsigned long long)seed, t.q.kind,
           s ? vks_status_name(s) : vks_reason_name(report.reason), s ? 0 : report.iterations,
           (unsigned long long)hash(t.x, t.q.n), is.reach / unit_of, is.residual / unit_of,
           s ? 0 : report.true_residual / t.options.rtol, word, s && !refused ? ": " : "",
           s && !refused ? vks_context_message(c) : "");
    trial_free(&t);
    return !strcmp(word, "fine");
}

int main(int count, char **argument)
{
    char message[1024] = "";
    vks_context *c;
    if (count != 4)
        return fputs("usage: null_space_walk DEVICE FIRST_SEED LAST_SEED\n", stderr), 2;
    vks_context_options o = {.device = argument[1], .message = message, .message_size = sizeof message};
    if (vks_context_create(&o, &c))
        return fprintf(stderr, "null_space_walk: %s\n", message), 1;
    bool all = true;
    uint64_t last = strtoull(argument[3], NULL, 10);
    for (uint64_t seed = strtoull(argument[2], NULL, 10); seed <= last; seed++)
        all &= walk(c, seed, !strcmp(argument[1], "host"));
    vks_context_destroy(c);
    return !all;
}
