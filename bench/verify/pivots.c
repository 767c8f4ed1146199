#include "verify/pivots.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

/* Before the columns diverge, both eliminations have used the same k rows P, in the same order. Row i of
 * column k then holds s_i = a_ik - a_iP y, with A_PP y = a_Pk; a change of A by E changes it by (1, -z_i)
 * (E_ik, E_Pk; E_iP, E_PP) (1, -y),   z_i = a_iP A_PP^-1, to first order. y is refined with residuals in long
 * double (Higham, "Accuracy and stability", chapter 12). */
struct leading {
    uint32_t k;
    const uint32_t *row; /* P */
    double *LU;
    lapack_int *pivot;
    double *correction;
    long double *y;
};

static const double *row_of(const struct specimen *s, uint32_t i)
{
    return s->A + (size_t)i * s->n;
}

static vks_status factor_leading(const struct specimen *s, struct leading *l)
{
    size_t k = l->k;
    l->LU = malloc((k * k + 1) * sizeof *l->LU);
    l->pivot = malloc((k + 1) * sizeof *l->pivot);
    l->correction = malloc((k + 1) * sizeof *l->correction);
    l->y = calloc(k + 1, sizeof *l->y);
    if (!l->LU || !l->pivot || !l->correction || !l->y)
        return VKS_OUT_OF_MEMORY;
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            l->LU[i * k + j] = row_of(s, l->row[i])[j];
    lapack_int n = (lapack_int)k;
    return n && LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, l->LU, n, l->pivot) < 0 ? VKS_OUT_OF_MEMORY : VKS_OK;
}

static void free_leading(struct leading *l)
{
    free(l->LU);
    free(l->pivot);
    free(l->correction);
    free(l->y);
}

/* a_ik - a_iP y */
static long double left_of(const struct specimen *s, const struct leading *l, uint32_t i)
{
    long double sum = row_of(s, i)[l->k];
    for (uint32_t j = 0; j < l->k; j++)
        sum -= row_of(s, i)[j] * l->y[j];
    return sum;
}

static vks_status solve(struct leading *l, char how)
{
    lapack_int n = (lapack_int)l->k;
    return n && LAPACKE_dgetrs(LAPACK_ROW_MAJOR, how, n, 1, l->LU, n, l->pivot, l->correction, 1)
               ? VKS_OUT_OF_MEMORY
               : VKS_OK;
}

enum { REFINEMENTS = 12 };

static vks_status find_y(const struct specimen *s, struct leading *l)
{
    for (int step = 0; step < REFINEMENTS; step++) {
        for (uint32_t p = 0; p < l->k; p++)
            l->correction[p] = (double)left_of(s, l, l->row[p]);
        vks_status status = solve(l, 'N');
        if (status)
            return status;
        for (uint32_t p = 0; p < l->k; p++)
            l->y[p] += l->correction[p];
    }
    return VKS_OK;
}

/* |a_ik| + |a_iP| |y| */
static double size_of_row(const struct specimen *s, const struct leading *l, uint32_t i)
{
    double sum = fabs(row_of(s, i)[l->k]);
    for (uint32_t j = 0; j < l->k; j++)
        sum += fabs(row_of(s, i)[j] * (double)l->y[j]);
    return sum;
}

/* The bound on the change of s_i if each element of A changes by its own magnitude. */
static vks_status sensitivity(const struct specimen *s, struct leading *l, uint32_t i, double *out)
{
    for (uint32_t j = 0; j < l->k; j++)
        l->correction[j] = row_of(s, i)[j];
    vks_status status = solve(l, 'T'); /* z_i */
    *out = size_of_row(s, l, i);
    for (uint32_t p = 0; p < l->k; p++)
        *out += fabs(l->correction[p]) * size_of_row(s, l, l->row[p]);
    return status;
}

vks_status find_parting(const struct specimen *s, const uint32_t *ours, const uint32_t *theirs,
                        struct parting *p)
{
    uint32_t k = 0;
    while (k < s->n && ours[k] == theirs[k])
        k++;
    *p = (struct parting){.column = k, .explained = true};
    if (k == s->n)
        return VKS_OK;
    p->ours = ours[k];
    p->theirs = theirs[k];
    struct leading l = {.k = k, .row = ours};
    double a = 0, b = 0;
    vks_status status = factor_leading(s, &l);
    if (!status)
        status = find_y(s, &l);
    if (!status)
        status = sensitivity(s, &l, p->ours, &a);
    if (!status)
        status = sensitivity(s, &l, p->theirs, &b);
    if (!status) {
        long double ours_size = fabsl(left_of(s, &l, p->ours)),
                    theirs_size = fabsl(left_of(s, &l, p->theirs));
        double u = s->precision == VKS_F32 ? 0x1p-24 : 0x1p-53;
        p->ours_size = (double)ours_size;
        p->theirs_size = (double)theirs_size;
        p->roundings = ours_size == theirs_size ? 0 : (double)fabsl(ours_size - theirs_size) / (u * (a + b));
        p->explained = p->roundings <= k + 4.0;
    }
    free_leading(&l);
    return status;
}
