/* A small system whose matrix is singular has no solution, or many: which, is found on the host, by
 * elimination with complete pivoting. What rounding leaves counts as zero. */
#include "solvers/gauss_jordan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* [A | B], n x (n + m) by rows. */
struct augmented {
    uint32_t n, m;
    double *at;
};

static double *element(const struct augmented *w, uint32_t i, uint32_t j)
{
    return &w->at[(size_t)i * (w->n + w->m) + j];
}

static void exchange(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
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
    for (uint32_t j = 0; j < w->n + w->m; j++)
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
        }
    }
    return w->n;
}

/* The first right-hand side that has no solution, w->m if all have one. */
static uint32_t find_inconsistent(const struct augmented *w, uint32_t rank, const double *largest, double u)
{
    for (uint32_t c = 0; c < w->m; c++)
        for (uint32_t i = rank; i < w->n; i++)
            if (fabs(*element(w, i, w->n + c)) > 4 * w->n * u * largest[c])
                return c;
    return w->m;
}

static void describe(struct gauss_jordan *g, struct augmented *w, double *largest)
{
    double u = unit_roundoff(g->precision);
    char *end = g->report->detail + strlen(g->report->detail);
    size_t left = sizeof g->report->detail - strlen(g->report->detail);
    for (uint32_t c = 0; c < w->m; c++)
        for (uint32_t i = 0; i < w->n; i++)
            largest[c] = fmax(largest[c], fabs(*element(w, i, w->n + c)));
    uint32_t rank = eliminate(w, u), none = find_inconsistent(w, rank, largest, u);
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
    size_t cols = (size_t)w.n + w.m;
    double *largest = calloc(w.m + (size_t)1, sizeof *largest);
    w.at = malloc((w.n * cols + 1) * sizeof *w.at); /* + 1: so that NULL is a failure */
    vks_status s = w.at && largest
                       ? VKS_OK
                       : fail_memory(&g->context->message, "a copy of the system", w.n * cols * sizeof *w.at);
    if (!s)
        s = vks_dense_get(A, VKS_F64, w.at, cols);
    if (!s && B)
        s = vks_dense_get(B, VKS_F64, w.at + w.n, cols);
    if (!s)
        describe(g, &w, largest);
    free(w.at);
    free(largest);
    return s;
}
