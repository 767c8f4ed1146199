/* A small system whose matrix is singular has no solution, or many: which, is found on the host, by
 * elimination with complete pivoting. What rounding leaves counts as zero. */
#include "solvers/dense/call.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* [A | B | S] by rows: A is n x n, and B and S are n x m. S bounds what B was made of: rounding has put it
 * wrong by no more than some units in the last place of S. */
struct augmented {
    uint32_t n, m;
    double *at;
};

static size_t width(const struct augmented *w)
{
    return w->n + 2 * (size_t)w->m;
}

static double *element(const struct augmented *w, uint32_t i, size_t j)
{
    return &w->at[i * width(w) + j];
}

static void exchange(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

/* Rows by powers of two, so that the largest element of A in each is between 1/2 and 1: equations that are
 * small are not lost among others. */
static void scale_rows(struct augmented *w)
{
    for (uint32_t i = 0; i < w->n; i++) {
        double largest = 0;
        int exponent;
        for (uint32_t j = 0; j < w->n; j++)
            largest = fmax(largest, fabs(*element(w, i, j)));
        if (largest == 0 || !isfinite(largest))
            continue;
        frexp(largest, &exponent);
        for (uint32_t j = 0; j < w->n + w->m; j++)
            *element(w, i, j) = ldexp(*element(w, i, j), -exponent);
    }
}

/* The largest element of A from row and column k on, to that place. */
static double bring_pivot(struct augmented *w, uint32_t k)
{
    uint32_t r = k, c = k;
    for (uint32_t i = k; i < w->n; i++)
        for (uint32_t j = k; j < w->n; j++)
            if (fabs(*element(w, i, j)) > fabs(*element(w, r, c))) {
                r = i;
                c = j;
            }
    for (size_t j = 0; j < width(w); j++)
        exchange(element(w, k, j), element(w, r, j));
    for (uint32_t i = 0; i < w->n; i++)
        exchange(element(w, i, k), element(w, i, c));
    return fabs(*element(w, k, k));
}

/* The rank of A; the rows beyond it have no more of A. */
static uint32_t eliminate(struct augmented *w, double u)
{
    double first = 0;
    for (uint32_t k = 0; k < w->n; k++) {
        double pivot = bring_pivot(w, k);
        first = k ? first : pivot;
        if (pivot <= w->n * u * first)
            return k;
        for (uint32_t i = k + 1; i < w->n; i++) {
            double m = *element(w, i, k) / *element(w, k, k);
            for (uint32_t j = k; j < w->n + w->m && m != 0; j++)
                *element(w, i, j) -= m * *element(w, k, j);
            for (size_t j = w->n + w->m; j < width(w); j++)
                *element(w, i, j) += fabs(m) * *element(w, k, j);
        }
    }
    return w->n;
}

/* The first right-hand side that has no solution, w->m if all have one. */
static uint32_t find_inconsistent(const struct augmented *w, uint32_t rank, double u)
{
    for (uint32_t c = 0; c < w->m; c++)
        for (uint32_t i = rank; i < w->n; i++)
            if (!(fabs(*element(w, i, w->n + c)) <= 4 * w->n * u * *element(w, i, w->n + w->m + c)))
                return c;
    return w->m;
}

static void describe(struct gauss_jordan *g, struct augmented *w)
{
    double u = unit_roundoff(g->precision);
    char *end = g->report->detail + strlen(g->report->detail);
    size_t left = sizeof g->report->detail - strlen(g->report->detail);
    scale_rows(w);
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t c = 0; c < w->m; c++)
            *element(w, i, w->n + w->m + c) = fabs(*element(w, i, w->n + c));
    uint32_t rank = eliminate(w, u), none = find_inconsistent(w, rank, u);
    if (w->m == 0)
        snprintf(end, left, "; its rank is %u of %u", rank, w->n);
    else if (none < w->m && w->m > 1)
        snprintf(end, left, "; its rank is %u of %u, and right-hand side %u is inconsistent: no solution",
                 rank, w->n, none + 1);
    else if (none < w->m)
        snprintf(end, left, "; its rank is %u of %u, and the system is inconsistent: no solution", rank,
                 w->n);
    else
        snprintf(end, left, "; its rank is %u of %u, and the equations are dependent: many solutions", rank,
                 w->n);
}

vks_status tell_singular(struct gauss_jordan *g, const vks_dense *A, const vks_dense *B)
{
    struct augmented w = {.n = A->rows, .m = B ? B->cols : 0};
    if (w.n > VKS_GAUSS_JORDAN_SMALL || w.m > VKS_GAUSS_JORDAN_SMALL)
        return VKS_OK;
    size_t cols = width(&w);
    w.at = malloc((w.n * cols + 1) * sizeof *w.at); /* + 1: so that NULL is a failure */
    vks_status s =
        w.at ? VKS_OK : fail_memory(&g->context->message, "a copy of the system", w.n * cols * sizeof *w.at);
    if (!s)
        s = vks_dense_get(A, VKS_F64, w.at, cols);
    if (!s && B)
        s = vks_dense_get(B, VKS_F64, w.at + w.n, cols);
    if (!s)
        describe(g, &w);
    free(w.at);
    return s;
}
