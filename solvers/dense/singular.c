/* The rank of a small matrix that is singular, or nearly so, and whether its equations have a solution, by
 * elimination with complete pivoting on the host. An answer holds for all matrices and right-hand sides that
 * rounding cannot distinguish from the given ones.
 *
 * Entries of A and b may be sums of up to k terms, where k is the length of the longest row: their relative
 * errors are up to k u in magnitude. In doubles, L U = A + E with |E| <= n v |L| |U| (N. J. Higham, "Accuracy
 * and stability of numerical algorithms", 2nd ed. (2002), theorem 9.3), and the solution of each triangular
 * system has an equally small error (theorem 8.5). As |A| <= |L| |U| + |E|, all these errors are changes of A
 * by e |L| |U| with e = k u + n v.
 *
 *  - Rank. Pivot p is y' A z, where y combines its row with earlier rows, and z its column with earlier
 *    columns: a change of A by E changes p by y' E z to first order. The pivot counts as zero up to e |y|'
 *    |L| |U| |z|.
 *  - Consistency. A row beyond the rank gives y with y' A = 0, and A x = b needs y' b = 0. With the solution
 *    x of the equations that have pivots, these changes alter y' b by |y|' (|E| |x| + k u |b|) for each of
 *    the three systems that are solved. So y' b counts as zero up to 4 e |y|' (|L| |U| |x| + |b|). */
#include "solvers/dense/call.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stored by rows. A is n x n; L without its diagonal, and U, replace it. B and S are n x m: B holds
 * right-hand sides, later L^-1 B; S the magnitudes |L| |U| |x| + |b|. y, z and t are n vectors. */
struct augmented {
    uint32_t n, m, rank;
    double level; /* e */
    double *A, *B, *S, *y, *z, *t;
    int *row;          /* rows were divided by 2^row */
    int column;        /* the last column of B was also divided by 2^column */
    uint32_t *unknown; /* the unknown of each column of U */
};

static double *row_of_A(const struct augmented *w, uint32_t i)
{
    return w->A + (size_t)i * w->n;
}

static double *row_of_B(const struct augmented *w, uint32_t i)
{
    return w->B + (size_t)i * w->m;
}

static double *row_of_S(const struct augmented *w, uint32_t i)
{
    return w->S + (size_t)i * w->m;
}

/* Exponent of the largest magnitude, with a fraction from 1/2 to 1; 0: there is none. */
static int exponent_of(const double *v, uint32_t n)
{
    double largest = 0;
    int exponent = 0;
    for (uint32_t j = 0; j < n; j++)
        largest = fmax(largest, fabs(v[j]));
    if (largest > 0 && isfinite(largest))
        frexp(largest, &exponent);
    return exponent;
}

/* Scales rows by powers of two, so that the largest element of A in each is between 1/2 and 1, and equations
 * of small entries are not lost. Scales columns of B likewise, so that none overflows. */
static void scale(struct augmented *w)
{
    int *row = w->row;
    for (uint32_t i = 0; i < w->n; i++) {
        row[i] = exponent_of(row_of_A(w, i), w->n);
        for (uint32_t j = 0; j < w->n; j++)
            row_of_A(w, i)[j] = ldexp(row_of_A(w, i)[j], -row[i]);
    }
    for (uint32_t c = 0; c < w->m; c++) {
        int most = INT_MIN;
        for (uint32_t i = 0; i < w->n; i++) {
            int exponent = exponent_of(&row_of_B(w, i)[c], 1) - row[i];
            most = row_of_B(w, i)[c] != 0 && exponent > most ? exponent : most;
        }
        w->column = most > INT_MIN ? most : 0;
        for (uint32_t i = 0; i < w->n; i++)
            row_of_B(w, i)[c] = ldexp(row_of_B(w, i)[c], -row[i] - w->column);
    }
}

static uint32_t longest_row(const struct augmented *w)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t entries = 0;
        for (uint32_t j = 0; j < w->n; j++)
            entries += row_of_A(w, i)[j] != 0;
        most = entries > most ? entries : most;
    }
    return most;
}

static void exchange(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

/* Moves the largest element in rows and columns from k on to position (k, k). */
static void bring_pivot(struct augmented *w, uint32_t k)
{
    uint32_t r = k, c = k;
    for (uint32_t i = k; i < w->n; i++)
        for (uint32_t j = k; j < w->n; j++)
            if (fabs(row_of_A(w, i)[j]) > fabs(row_of_A(w, r)[c])) {
                r = i;
                c = j;
            }
    for (uint32_t j = 0; j < w->n; j++)
        exchange(&row_of_A(w, k)[j], &row_of_A(w, r)[j]);
    for (uint32_t j = 0; j < w->m; j++)
        exchange(&row_of_B(w, k)[j], &row_of_B(w, r)[j]);
    for (uint32_t i = 0; i < w->n; i++)
        exchange(&row_of_A(w, i)[k], &row_of_A(w, i)[c]);
    uint32_t unknown = w->unknown[k];
    w->unknown[k] = w->unknown[c];
    w->unknown[c] = unknown;
}

/* y with y' A = 0 in the first `rank` columns: it combines the rows before `rank` with 1 times row i. */
static void combine_rows(const struct augmented *w, uint32_t i, uint32_t rank)
{
    for (uint32_t j = 0; j < rank; j++)
        w->y[j] = -row_of_A(w, i)[j];
    for (uint32_t p = rank; p-- > 0;)
        for (uint32_t j = 0; j < p; j++)
            w->y[j] -= w->y[p] * row_of_A(w, p)[j];
}

/* v = U^-1 v in the first `rank` unknowns */
static void substitute_back(const struct augmented *w, double *v, uint32_t rank)
{
    for (uint32_t j = rank; j-- > 0;) {
        const double *u = row_of_A(w, j);
        for (uint32_t p = j + 1; p < rank; p++)
            v[j] -= u[p] * v[p];
        v[j] /= u[j];
    }
}

/* t = |U| |v|, of `count` rows and columns */
static void magnitudes(const struct augmented *w, const double *v, uint32_t count)
{
    for (uint32_t j = 0; j < count; j++) {
        w->t[j] = 0;
        for (uint32_t p = j; p < count; p++)
            w->t[j] += fabs(row_of_A(w, j)[p] * v[p]);
    }
}

/* Row i of |L| t, where t has `count` elements. */
static double magnitude_of_row(const struct augmented *w, uint32_t i, uint32_t count)
{
    double sum = i < count ? w->t[i] : 0;
    for (uint32_t j = 0; j < i && j < count; j++)
        sum += fabs(row_of_A(w, i)[j]) * w->t[j];
    return sum;
}

/* |y|' |L| |U| |z| of pivot k */
static double magnitude_of_pivot(const struct augmented *w, uint32_t k)
{
    combine_rows(w, k, k);
    for (uint32_t j = 0; j < k; j++)
        w->z[j] = -row_of_A(w, j)[k];
    substitute_back(w, w->z, k);
    w->y[k] = w->z[k] = 1;
    magnitudes(w, w->z, k + 1);
    double sum = 0;
    for (uint32_t i = 0; i <= k; i++)
        sum += fabs(w->y[i]) * magnitude_of_row(w, i, k + 1);
    return sum;
}

static uint32_t eliminate(struct augmented *w)
{
    for (uint32_t k = 0; k < w->n; k++)
        w->unknown[k] = k;
    for (uint32_t k = 0; k < w->n; k++) {
        bring_pivot(w, k);
        const double *pivot = row_of_A(w, k);
        if (fabs(pivot[k]) <= w->level * magnitude_of_pivot(w, k))
            return k;
        for (uint32_t i = k + 1; i < w->n; i++) {
            double *row = row_of_A(w, i);
            row[k] /= pivot[k];
            for (uint32_t j = k + 1; j < w->n && row[k] != 0; j++)
                row[j] -= row[k] * pivot[j];
        }
    }
    return w->n;
}

/* Computes S and L^-1 B, and leaves the last x in z. Beyond the rank L has no columns, and L^-1 b is y' b. */
static void solve_columns(struct augmented *w)
{
    for (uint32_t c = 0; c < w->m; c++) {
        for (uint32_t i = 0; i < w->n; i++) {
            row_of_S(w, i)[c] = fabs(row_of_B(w, i)[c]);
            for (uint32_t j = 0; j < i && j < w->rank; j++)
                row_of_B(w, i)[c] -= row_of_A(w, i)[j] * row_of_B(w, j)[c];
        }
        for (uint32_t j = 0; j < w->rank; j++)
            w->z[j] = row_of_B(w, j)[c];
        substitute_back(w, w->z, w->rank);
        magnitudes(w, w->z, w->rank);
        for (uint32_t i = 0; i < w->n; i++)
            row_of_S(w, i)[c] += magnitude_of_row(w, i, w->rank);
    }
}

/* Returns the first right-hand side without a solution; w->m: all have one. */
static uint32_t find_inconsistent(const struct augmented *w)
{
    uint32_t first = w->m;
    for (uint32_t i = w->rank; i < w->n; i++) {
        combine_rows(w, i, w->rank);
        for (uint32_t c = 0; c < first; c++) {
            double size = row_of_S(w, i)[c];
            for (uint32_t j = 0; j < w->rank; j++)
                size += fabs(w->y[j]) * row_of_S(w, j)[c];
            if (fabs(row_of_B(w, i)[c]) > 4 * w->level * size)
                first = c;
        }
    }
    return first;
}

/* Allocates w, copies the values and eliminates. Nothing needs to be freed after a failure. */
static vks_status take(struct augmented *w, const vks_dense *A, const vks_dense *B)
{
    double u = unit_roundoff(A->precision);
    *w = (struct augmented){.n = A->rows, .m = B ? B->cols : 0};
    size_t n = w->n, m = w->m, numbers = n * (n + 2 * m + 3);
    size_t bytes = numbers * sizeof(double) + n * (sizeof(int) + sizeof(uint32_t));
    w->A = malloc(bytes + 1); /* + 1: so that NULL is a failure */
    if (!w->A)
        return fail_memory(&A->context->message, "a copy of the system", bytes);
    w->B = w->A + n * n;
    w->S = w->B + n * m;
    w->y = w->S + n * m;
    w->z = w->y + n;
    w->t = w->z + n;
    w->row = (int *)(w->t + n);
    w->unknown = (uint32_t *)(w->row + n);
    vks_status s = vks_dense_get(A, VKS_F64, w->A, n);
    if (!s && B)
        s = vks_dense_get(B, VKS_F64, w->B, m);
    if (s) {
        free(w->A);
        return s;
    }
    scale(w);
    w->level = longest_row(w) * u + w->n * unit_roundoff(VKS_F64);
    w->rank = eliminate(w);
    return VKS_OK;
}

static bool is_small(const vks_dense *A, const vks_dense *B)
{
    return A->rows <= VKS_GAUSS_JORDAN_SMALL && (!B || B->cols <= VKS_GAUSS_JORDAN_SMALL);
}

static void describe(struct augmented *w, char *end, size_t left)
{
    if (w->rank == w->n) {
        snprintf(end, left, "; with complete pivoting its rank is %u", w->n);
        return;
    }
    int used = snprintf(end, left, "; its rank is %u of %u", w->rank, w->n);
    if (w->m == 0 || used < 0 || (size_t)used >= left)
        return;
    end += used;
    left -= (size_t)used;
    solve_columns(w);
    uint32_t none = find_inconsistent(w);
    if (none == w->m)
        snprintf(end, left, ", and the equations are dependent: many solutions");
    else if (w->m > 1)
        snprintf(end, left, ", and right-hand side %u is inconsistent: no solution", none + 1);
    else
        snprintf(end, left, ", and the system is inconsistent: no solution");
}

vks_status report_singular(struct gauss_jordan *g, const vks_dense *A, const vks_dense *B)
{
    struct augmented w;
    if (!is_small(A, B))
        return VKS_OK;
    TRY(take(&w, A, B));
    size_t used = strlen(g->report->detail);
    describe(&w, g->report->detail + used, sizeof g->report->detail - used);
    free(w.A);
    return VKS_OK;
}

/* Writes x to y, with zeros for unknowns without pivots. */
static void unscale(struct augmented *w)
{
    for (uint32_t k = 0; k < w->n; k++)
        w->y[w->unknown[k]] = k < w->rank ? ldexp(w->z[k], w->column) : 0;
}

static vks_status replace(struct gauss_jordan *g, struct augmented *w, const vks_dense *A, const vks_dense *B,
                          vks_dense *X)
{
    vks_gauss_jordan_report *r = g->report;
    r->reason = VKS_REASON_CONVERGED;
    r->detail[0] = 0;
    snprintf(
        r->warning, sizeof r->warning,
        "the matrix is nearly singular: to the rounding of its entries its rank is %u of %u, and x is one "
        "of many solutions",
        w->rank, w->n);
    unscale(w);
    TRY(vks_dense_set(X, VKS_F64, w->y, 1));
    return true_residual(A, B, X, &r->residual, &r->backward_error);
}

static void refuse(struct gauss_jordan *g, const struct augmented *w)
{
    vks_gauss_jordan_report *r = g->report;
    r->reason = VKS_REASON_SINGULAR;
    r->column = r->least_pivot_column;
    r->warning[0] = 0; /* it referred to a solution */
    snprintf(r->detail, sizeof r->detail,
             "the matrix is singular to the rounding of its entries; its rank is %u of %u, and the system is "
             "inconsistent: no solution",
             w->rank, w->n);
}

vks_status solve_nearly_singular(struct gauss_jordan *g, const vks_dense *A, const vks_dense *B, vks_dense *X)
{
    struct augmented w;
    TRY(take(&w, A, B));
    vks_status s = VKS_OK;
    if (w.rank < w.n) {
        solve_columns(&w);
        if (find_inconsistent(&w) == w.m)
            s = replace(g, &w, A, B, X);
        else
            refuse(g, &w);
    }
    free(w.A);
    return s;
}
