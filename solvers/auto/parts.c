#include "solvers/auto/parts.h"
#include "vector/vector.h"
#include "vksolve/vector.h"

#include <math.h>
#include <stdlib.h>

/* Relative rounding error of a double. Stored entries of any precision are read as doubles. */
static const double unit = 0x1p-53;
enum { BETWEEN_QUESTIONS = 1 << 16 /* rows between polls of the caller */ };

/* Compensated sum: A. Neumaier (1974). */
struct exact_sum {
    double sum, rest, magnitude;
    uint32_t count;
    bool is_rounded; /* `rest` has lost digits, too */
};

/* Rounding error of a + b. */
static double lost_digits(double a, double b)
{
    double sum = a + b;
    return fabs(a) >= fabs(b) ? (a - sum) + b : (b - sum) + a;
}

static void add_term(struct exact_sum *s, double term)
{
    double lost = lost_digits(s->sum, term);
    s->sum += term;
    s->is_rounded |= lost_digits(s->rest, lost) != 0;
    s->rest += lost;
    s->magnitude += fabs(term);
    s->count++;
}

static double value_of(const struct exact_sum *s)
{
    return s->sum + s->rest;
}

/* A bound of |sum|; 0: the sum is exactly zero. */
static double bound_of(const struct exact_sum *s)
{
    double rounding = s->count * unit;
    return fabs(value_of(s)) * (1 + 2 * unit) + (s->is_rounded ? rounding * rounding * s->magnitude : 0);
}

/* Whether a sum is zero up to rounding of its terms, which may be sums of as many terms. False for NaN. */
static bool vanishes(const struct exact_sum *s)
{
    return bound_of(s) <= s->count * unit * s->magnitude;
}

/* The matrix on the host, and results about it. Rows and columns are vertices of one graph: row i is vertex
 * i, and column j is vertex rows + j. */
struct search {
    struct host_csr a;
    uint32_t *above; /* for each vertex: an earlier vertex of the same part, or itself */
    struct exact_sum *of_rows, *of_cols;
    uint32_t *known; /* flags of the part that begins at each row */
    double *defect;  /* of that part: the largest |sum| of a column, relative to its magnitude */
};

static uint64_t bytes_of(const vks_matrix *A)
{
    uint64_t n = A->csr.n, m = A->csr.cols, of_sum = sizeof(struct exact_sum);
    return 12 * (uint64_t)A->csr.entries + (20 + of_sum) * n + (4 + of_sum) * m;
}

static vks_status fetch(const vks_matrix *A, struct search *f)
{
    size_t n = A->csr.n, m = A->csr.cols;
    *f = (struct search){.above = malloc(4 * (n + m) + 1),
                         .of_rows = calloc(n + 1, sizeof *f->of_rows),
                         .of_cols = calloc(m + 1, sizeof *f->of_cols),
                         .known = calloc(n + 1, 4),
                         .defect = calloc(n + 1, 8)};
    if (!f->above || !f->of_rows || !f->of_cols || !f->known || !f->defect)
        return fail_memory(&A->context->message, "a copy of the matrix", bytes_of(A));
    return matrix_to_host(A, &f->a);
}

static void release(struct search *f)
{
    host_csr_free(&f->a);
    free(f->above);
    free(f->of_rows);
    free(f->of_cols);
    free(f->known);
    free(f->defect);
}

/* Returns the first vertex of a part, and shortens the path to it. */
static uint32_t top_of(uint32_t *above, uint32_t v)
{
    while (above[v] != v)
        v = above[v] = above[above[v]];
    return v;
}

static void join(uint32_t *above, uint32_t v, uint32_t w)
{
    v = top_of(above, v);
    w = top_of(above, w);
    above[v > w ? v : w] = v > w ? w : v;
}

/* False: the caller cancelled. */
static bool join_all(struct search *f, const struct caller *caller)
{
    for (uint32_t v = 0; v < f->a.rows + f->a.cols; v++)
        f->above[v] = v;
    for (uint32_t i = 0; i < f->a.rows; i++) {
        for (uint32_t k = f->a.row[i]; k < f->a.row[i + 1]; k++)
            if (f->a.val[k] != 0) {
                join(f->above, i, f->a.rows + f->a.col[k]);
                add_term(&f->of_rows[i], f->a.val[k]);
                add_term(&f->of_cols[f->a.col[k]], f->a.val[k]);
            }
        if ((i + 1) % BETWEEN_QUESTIONS == 0 && caller_cancels(caller))
            return false;
    }
    return true;
}

enum { ROWS_DIFFER = 1, COLS_DIFFER = 2, HAS_COLS = 4 };

static void check_sums(struct search *f)
{
    for (uint32_t i = 0; i < f->a.rows; i++)
        if (!vanishes(&f->of_rows[i]))
            f->known[top_of(f->above, i)] |= ROWS_DIFFER;
    for (uint32_t j = 0; j < f->a.cols; j++) {
        uint32_t top = top_of(f->above, f->a.rows + j);
        const struct exact_sum *s = &f->of_cols[j];
        if (top >= f->a.rows) /* an empty column */
            continue;
        f->known[top] |= HAS_COLS | (vanishes(s) ? 0 : COLS_DIFFER);
        f->defect[top] = fmax(f->defect[top], bound_of(s) / s->magnitude);
    }
}

static bool is_singular(uint32_t known)
{
    return !(known & COLS_DIFFER) || !(known & ROWS_DIFFER);
}

static bool belongs(struct search *f, uint32_t i)
{
    return is_singular(f->known[top_of(f->above, i)]);
}

/* Counts the singular parts, and their rows. */
static void count_parts(struct search *f, uint32_t *parts, uint32_t *rows)
{
    *parts = *rows = 0;
    for (uint32_t i = 0; i < f->a.rows; i++) {
        *rows += belongs(f, i);
        *parts += belongs(f, i) && f->above[i] == i;
    }
}

/* Fills in the parts, in the order of their first rows, and then their rows. */
static void fill_parts(struct search *f, struct parts *p)
{
    uint32_t count = 0, at = 0;
    uint32_t *size = f->a.row; /* no longer needed */
    for (uint32_t i = 0; i < f->a.rows; i++)
        size[i] = 0;
    for (uint32_t i = 0; i < f->a.rows; i++)
        size[top_of(f->above, i)]++;
    for (uint32_t i = 0; i < f->a.rows; i++) {
        uint32_t known = f->known[i];
        if (f->above[i] != i || !is_singular(known))
            continue;
        p->part[count] = (struct part){.begin = at,
                                       .end = at,
                                       .has_cols = known & HAS_COLS,
                                       .cols_vanish = !(known & COLS_DIFFER),
                                       .rows_vanish = !(known & ROWS_DIFFER),
                                       .defect = f->defect[i]};
        at += size[i];
        size[i] = count++;
    }
    for (uint32_t i = 0; i < f->a.rows; i++)
        if (belongs(f, i))
            p->row[p->part[size[top_of(f->above, i)]].end++] = i;
}

static vks_status search_parts(const vks_matrix *A, const struct caller *caller, struct search *f,
                               struct parts *p)
{
    uint32_t rows;
    TRY(fetch(A, f));
    if (!join_all(f, caller))
        return VKS_OK;
    check_sums(f);
    count_parts(f, &p->count, &rows);
    p->part = malloc((p->count + (size_t)1) * sizeof *p->part);
    p->row = malloc(4 * (size_t)rows + 1);
    if (!p->part || !p->row)
        return fail_memory(&A->context->message, "parts of the matrix", 4 * (uint64_t)rows);
    fill_parts(f, p);
    p->are_known = true;
    return VKS_OK;
}

vks_status parts_find(const vks_matrix *A, uint64_t most_bytes, const struct caller *caller, struct parts *p)
{
    struct search f;
    if (p->are_known && p->values == A->values_taken)
        return VKS_OK;
    parts_free(p);
    p->values = A->values_taken;
    p->are_known = A->csr.n + (uint64_t)A->csr.cols > UINT32_MAX || bytes_of(A) > most_bytes;
    if (p->are_known)
        return VKS_OK;
    vks_status status = search_parts(A, caller, &f, p);
    release(&f);
    if (status)
        parts_free(p);
    return status;
}

void parts_free(struct parts *p)
{
    free(p->part);
    free(p->row);
    *p = (struct parts){0};
}

static double mean_of(const double *b, uint32_t n)
{
    struct exact_sum s = {0};
    for (uint32_t i = 0; i < n; i++)
        add_term(&s, b[i]);
    return value_of(&s) / n;
}

/* Returns the sum of b - mean on a part, or 0 if rounding of b and mean, with unit `of_b`, explains it. */
static double sum_of_b(const struct parts *p, const struct part *part, const double *b, double mean,
                       double of_b)
{
    struct exact_sum s = {0};
    for (uint32_t i = part->begin; i < part->end; i++) {
        add_term(&s, b[p->row[i]]);
        add_term(&s, -mean);
    }
    return fabs(value_of(&s)) > of_b * s.magnitude ? value_of(&s) : 0;
}

/* Factor by which the estimated rounding of every solution must exceed the target. */
static const double certain = 4;

/* If columns sum to c, |sum of b| <= |c|'|x| + |sum of b - A x|, and |c| is at most the defect times the sums
 * of |A|. So || |A| |x| || is at least (share - target) / defect. */
static bool is_out_of_reach(const struct part *part, double share, double target, double of_x)
{
    return of_x * (share - target) > certain * target * part->defect;
}

/* Sums b on the parts whose columns sum to exactly zero, or on the others. */
static void add_parts(const struct parts *p, const double *b, const struct demand *d, double mean, bool exact,
                      struct parts_of_b *out)
{
    *out = (struct parts_of_b){.is_exact = exact};
    double least = exact ? d->target / sqrt(p->count) : d->target;
    for (uint32_t k = 0; k < p->count; k++) {
        const struct part *part = &p->part[k];
        if (!part->cols_vanish || exact != (part->defect == 0))
            continue;
        double sum = sum_of_b(p, part, b, mean, d->of_b), share = fabs(sum) / sqrt(part->end - part->begin);
        if (!(share > least) || !(exact || is_out_of_reach(part, share, d->target, d->of_x)))
            continue;
        if (!out->count++) {
            out->first = k;
            out->sum = sum;
        }
        out->norm = hypot(out->norm, share);
    }
    if (!(out->norm > d->target && isfinite(out->norm)))
        *out = (struct parts_of_b){0};
}

vks_status parts_sum_b(const struct parts *p, const vks_vector *b, bool without_mean, const struct demand *d,
                       struct parts_of_b *out)
{
    *out = (struct parts_of_b){0};
    if (!p->count)
        return VKS_OK;
    uint32_t n = vks_vector_length(b);
    double *values = malloc(8 * (size_t)n + 1);
    if (!values)
        return fail_memory(&b->context->message, "a copy of b", 8 * (uint64_t)n);
    vks_status status = vks_vector_read(b, 0, n, VKS_F64, values);
    double mean = !status && without_mean ? mean_of(values, n) : 0;
    if (!status)
        add_parts(p, values, d, mean, true, out);
    if (!status && !out->count)
        add_parts(p, values, d, mean, false, out);
    free(values);
    return status;
}
