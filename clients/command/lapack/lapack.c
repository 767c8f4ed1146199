#include "command/lapack/lapack.h"
#include "command/lapack/library.h"
#include "entries/rcm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The result before any method is tried. */
static struct lapack_result untried(void)
{
    return (struct lapack_result){.method = "none", .true_residual = NAN, .normal_residual = NAN};
}

/* Rounding hides most zero pivots of a singular matrix. The x that results is hardly better than x = 0, whose
 * residual is 1. */
#define USELESS 0.1

enum method { DENSE_CHOLESKY, DENSE_LU, BANDED_CHOLESKY, BANDED_LU, NO_METHOD };

static const char *const method_name[] = {"dense Cholesky (dpotrf)", "dense LU (dgetrf)",
                                          "banded Cholesky (dpbtrf)", "banded LU (dgbtrf)", "none"};

/* The system in the order in which it is factorized. */
struct problem {
    const struct lapack_library *library;
    const struct host_csr *a;
    uint32_t *perm;  /* new -> old; NULL: the natural order */
    uint32_t *place; /* old -> new; NULL for the natural order */
    struct band band;
};

struct factor {
    double *at;
    lapack_int *pivot; /* NULL for Cholesky */
    double *solution;  /* in the order of the factor */
};

double lapack_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_banded(enum method method)
{
    return method == BANDED_CHOLESKY || method == BANDED_LU;
}

static bool is_cholesky(enum method method)
{
    return method == DENSE_CHOLESKY || method == BANDED_CHOLESKY;
}

/* The rows of the factor's array, which is stored by columns; LAPACK requires at least 1. */
static double leading_dimension(enum method method, uint32_t n, struct band band)
{
    switch (method) {
    case BANDED_CHOLESKY:
        return (double)band.lower + 1;
    case BANDED_LU:
        return 2 * (double)band.lower + band.upper + 1;
    default:
        return n > 0 ? n : 1;
    }
}

static double memory_of(enum method method, uint32_t n, struct band band)
{
    double pivots = is_cholesky(method) ? 0 : sizeof(lapack_int);
    return n * (leading_dimension(method, n, band) * sizeof(double) + sizeof(double) + pivots);
}

static double work_of(enum method method, double n, struct band band)
{
    double lower = band.lower, upper = band.upper;
    switch (method) {
    case DENSE_CHOLESKY:
        return n * n * n / 3;
    case DENSE_LU:
        return n * n * n * 2 / 3;
    case BANDED_CHOLESKY:
        return n * lower * lower;
    default:
        return 2 * n * lower * (lower + upper);
    }
}

/* Whether the factor fits together with the ordering, which takes order_bytes. */
static bool fits(enum method method, uint32_t n, struct band band, double order_bytes, size_t limit)
{
    return n <= INT32_MAX && n * leading_dimension(method, n, band) <= INT32_MAX &&
           memory_of(method, n, band) + order_bytes <= (double)limit;
}

const char *lapack_bytes(double bytes, char text[32])
{
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    int i = 0;
    for (; bytes >= 1000 && i < 6; i++)
        bytes /= 1000;
    snprintf(text, 32, "%.3g %s", bytes, unit[i]);
    return text;
}

static double order_memory(const struct problem *p)
{
    return p->perm ? 2.0 * p->a->rows * sizeof *p->perm : 0;
}

static void forget_order(struct problem *p)
{
    free(p->perm);
    free(p->place);
    p->perm = p->place = NULL;
}

/* Takes the reverse Cuthill-McKee order if its band is cheaper and memory suffices. */
static vks_status find_order(struct message *m, struct problem *p, enum method method, size_t limit)
{
    size_t n = p->a->rows;
    p->band = rcm_band(p->a, NULL);
    if (n > INT32_MAX || rcm_memory(p->a) + 2.0 * (double)n * sizeof *p->perm > (double)limit)
        return VKS_OK;
    p->perm = malloc(n * sizeof *p->perm + 1);
    p->place = malloc(n * sizeof *p->place + 1);
    if (!p->perm || !p->place)
        return fail_memory(m, "the order of the unknowns", 2 * n * sizeof *p->perm);
    vks_status status = rcm_order(m, p->a, p->perm);
    if (status != VKS_OK)
        return status;
    rcm_invert(p->a->rows, p->perm, p->place);
    struct band band = rcm_band(p->a, p->place);
    if (work_of(method, (double)n, band) < work_of(method, (double)n, p->band))
        p->band = band;
    else
        forget_order(p);
    return VKS_OK;
}

/* The cheaper of the two methods that fit. If neither does, the note says why. */
static enum method choose(const struct problem *p, enum method dense, enum method banded, size_t limit,
                          struct lapack_result *out)
{
    uint32_t n = p->a->rows;
    char one[32], two[32], three[32];
    bool dense_fits = fits(dense, n, p->band, 0, limit);
    bool banded_fits = fits(banded, n, p->band, order_memory(p), limit);
    if (dense_fits && (!banded_fits || work_of(dense, n, p->band) <= work_of(banded, n, p->band)))
        return dense;
    if (banded_fits)
        return banded;
    snprintf(out->note, sizeof out->note,
             "neither fits: dense needs %s, a band of half-width %u needs %s, the limit is %s%s",
             lapack_bytes(memory_of(dense, n, p->band), one), out->bandwidth,
             lapack_bytes(memory_of(banded, n, p->band) + order_memory(p), two),
             lapack_bytes((double)limit, three),
             (double)limit > 8.0 * INT32_MAX ? " and 2147483647 elements" : "");
    return NO_METHOD;
}

static void release(struct factor *f)
{
    free(f->at);
    free(f->pivot);
    free(f->solution);
    *f = (struct factor){0};
}

static vks_status allocate(struct message *m, enum method method, const struct problem *p, struct factor *f)
{
    size_t n = p->a->rows, elements = n * (size_t)leading_dimension(method, p->a->rows, p->band);
    bool pivots = !is_cholesky(method);
    f->at = calloc(elements + 1, sizeof *f->at);
    f->solution = malloc((n + 1) * sizeof *f->solution);
    f->pivot = pivots ? malloc((n + 1) * sizeof *f->pivot) : NULL;
    if (f->at && f->solution && (f->pivot || !pivots))
        return VKS_OK;
    release(f);
    return fail_memory(m, method_name[method], (unsigned long long)memory_of(method, p->a->rows, p->band));
}

/* Column j of the array begins at j ld. The diagonal is in row j of a dense array, in row `lower + upper` of
 * a band for LU (the `lower` rows above the band take the fill-in of pivoting), and in row 0 for Cholesky. */
static void fill(enum method method, const struct problem *p, size_t ld, double *at)
{
    const struct host_csr *a = p->a;
    size_t diagonal = method == BANDED_LU ? (size_t)p->band.lower + p->band.upper : 0;
    for (uint32_t r = 0; r < a->rows; r++)
        for (size_t k = a->row[r]; k < a->row[r + 1]; k++) {
            size_t i = p->place ? p->place[r] : r, j = p->place ? p->place[a->col[k]] : a->col[k];
            if (is_cholesky(method) && i < j)
                continue;
            at[j * ld + (is_banded(method) ? diagonal + i - j : i)] = a->val[k];
        }
}

/* Factorizes and solves; returns LAPACK's info. */
static lapack_int run(const struct lapack_library *l, enum method method, lapack_int n, lapack_int ld,
                      struct band band, struct factor *f)
{
    lapack_int lower = (lapack_int)band.lower, upper = (lapack_int)band.upper, info;
    switch (method) {
    case DENSE_CHOLESKY:
        info = l->dpotrf(LAPACK_COL_MAJOR, 'L', n, f->at, ld);
        return info ? info : l->dpotrs(LAPACK_COL_MAJOR, 'L', n, 1, f->at, ld, f->solution, n);
    case DENSE_LU:
        info = l->dgetrf(LAPACK_COL_MAJOR, n, n, f->at, ld, f->pivot);
        return info ? info : l->dgetrs(LAPACK_COL_MAJOR, 'N', n, 1, f->at, ld, f->pivot, f->solution, n);
    case BANDED_CHOLESKY:
        info = l->dpbtrf(LAPACK_COL_MAJOR, 'L', n, lower, f->at, ld);
        return info ? info : l->dpbtrs(LAPACK_COL_MAJOR, 'L', n, lower, 1, f->at, ld, f->solution, n);
    default:
        info = l->dgbtrf(LAPACK_COL_MAJOR, n, n, lower, upper, f->at, ld, f->pivot);
        return info ? info
                    : l->dgbtrs(LAPACK_COL_MAJOR, 'N', n, lower, upper, 1, f->at, ld, f->pivot, f->solution,
                                n);
    }
}

/* Tries one method. *info is LAPACK's: 0 if x holds the solution. */
static vks_status run_method(struct message *m, enum method method, const struct problem *p, const double *b,
                             double *x, lapack_int *info, struct lapack_result *out)
{
    uint32_t n = p->a->rows;
    struct factor f = {0};
    vks_status status = allocate(m, method, p, &f);
    if (status != VKS_OK)
        return status;
    size_t ld = (size_t)leading_dimension(method, n, p->band);
    out->method = method_name[method];
    out->memory_bytes = memory_of(method, n, p->band);
    fill(method, p, ld, f.at);
    for (uint32_t i = 0; i < n; i++)
        f.solution[i] = b[p->perm ? p->perm[i] : i];
    *info = n > 0 ? run(p->library, method, (lapack_int)n, (lapack_int)ld, p->band, &f) : 0;
    for (uint32_t i = 0; i < n && *info == 0; i++)
        x[p->perm ? p->perm[i] : i] = f.solution[i];
    release(&f);
    return VKS_OK;
}

/* The row or column of A, counted from 1, that LAPACK's info refers to. */
static uint32_t row_of_pivot(const struct problem *p, lapack_int info)
{
    return p->perm ? p->perm[info - 1] + 1 : (uint32_t)info;
}

/* Cholesky if requested, then LU if Cholesky fails. */
static vks_status factorize(struct message *m, enum method method, const struct problem *p, size_t limit,
                            const double *b, double *x, struct lapack_result *out)
{
    lapack_int info = 0;
    char one[32], two[32];
    vks_status status = run_method(m, method, p, b, x, &info, out);
    if (status == VKS_OK && info > 0 && is_cholesky(method)) {
        int length = snprintf(out->note, sizeof out->note,
                              "not positive definite: LAPACK stopped at pivot %d (row %u)", (int)info,
                              row_of_pivot(p, info));
        method = method == DENSE_CHOLESKY ? DENSE_LU : BANDED_LU;
        if (!fits(method, p->a->rows, p->band, order_memory(p), limit)) {
            snprintf(out->note + length, sizeof out->note - (size_t)length, "; LU needs %s, the limit is %s",
                     lapack_bytes(memory_of(method, p->a->rows, p->band) + order_memory(p), one),
                     lapack_bytes((double)limit, two));
            return VKS_OK;
        }
        status = run_method(m, method, p, b, x, &info, out);
    }
    if (status == VKS_OK && info > 0)
        snprintf(out->note, sizeof out->note, "singular: LAPACK found a zero at pivot %d (column %u)",
                 (int)info, row_of_pivot(p, info));
    else if (status == VKS_OK && info < 0)
        snprintf(out->note, sizeof out->note, "LAPACK refused the call with code %d", (int)info);
    out->solved = status == VKS_OK && info == 0;
    return status;
}

double lapack_norm(const double *v, size_t n)
{
    double largest = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(v[i]))
            return fabs(v[i]);
        largest = fmax(largest, fabs(v[i]));
    }
    if (largest == 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        sum += (v[i] / largest) * (v[i] / largest);
    return largest * sqrt(sum);
}

static vks_status measure_residual(struct message *m, const struct host_csr *a, const double *b,
                                   const double *x, struct lapack_result *out)
{
    double *r = malloc(((size_t)a->rows + 1) * sizeof *r), length = lapack_norm(b, a->rows);
    if (!r)
        return fail_memory(m, "the residual", a->rows * sizeof *r);
    for (uint32_t i = 0; i < a->rows; i++) {
        double sum = 0;
        for (size_t k = a->row[i]; k < a->row[i + 1]; k++)
            sum += a->val[k] * x[a->col[k]];
        r[i] = b[i] - sum;
    }
    double size = lapack_norm(r, a->rows);
    free(r);
    out->true_residual = size == 0 ? 0 : size / length;
    out->solved = out->true_residual < USELESS;
    if (!isfinite(size))
        snprintf(out->note, sizeof out->note, "the solution overflows double precision");
    else if (!out->solved)
        snprintf(out->note, sizeof out->note,
                 "singular to working precision: the solution's residual is %.2g", out->true_residual);
    return VKS_OK;
}

bool lapack_takes(const struct host_csr *a, const double *b, struct lapack_result *out)
{
    for (uint32_t r = 0; r < a->rows; r++) {
        if (!isfinite(b[r])) {
            snprintf(out->note, sizeof out->note, "row %u of the right-hand side is not finite", r + 1);
            return false;
        }
        for (size_t k = a->row[r]; k < a->row[r + 1]; k++)
            if (!isfinite(a->val[k])) {
                snprintf(out->note, sizeof out->note, "the entry in row %u, column %u is not finite", r + 1,
                         a->col[k] + 1);
                return false;
            }
    }
    return true;
}

bool lapack_is_there(struct lapack_library *library, struct lapack_result *out)
{
    if (lapack_open(library, NULL))
        return true;
    snprintf(out->note, sizeof out->note,
             "its library, liblapacke.so.3, is not installed (Debian: apt install liblapacke)");
    return false;
}

vks_status lapack_solve(struct message *m, const struct host_csr *a, bool symmetric_positive, const double *b,
                        double *x, size_t memory_limit, struct lapack_result *out)
{
    enum method dense = symmetric_positive ? DENSE_CHOLESKY : DENSE_LU;
    enum method banded = symmetric_positive ? BANDED_CHOLESKY : BANDED_LU;
    struct problem p = {.a = a};
    *out = untried();
    if (a->rows != a->cols)
        return fail(m, VKS_INVALID_ARGUMENT, "%u rows, %u columns: the matrix is not square", a->rows,
                    a->cols);
    if (!lapack_takes(a, b, out))
        return VKS_OK;
    struct lapack_library library;
    if (!lapack_is_there(&library, out))
        return VKS_OK;
    p.library = &library;

    double start = lapack_now();
    vks_status status = find_order(m, &p, banded, memory_limit);
    if (status == VKS_OK) {
        out->bandwidth = p.band.lower > p.band.upper ? p.band.lower : p.band.upper;
        enum method method = choose(&p, dense, banded, memory_limit, out);
        if (!is_banded(method))
            forget_order(&p);
        if (method != NO_METHOD)
            status = factorize(m, method, &p, memory_limit, b, x, out);
    }
    out->seconds = lapack_now() - start;
    forget_order(&p);
    if (status == VKS_OK && out->solved)
        status = measure_residual(m, a, b, x, out);
    return status;
}
