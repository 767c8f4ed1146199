#include "verify/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_wide(const struct reference *r)
{
    return r->precision == VKS_F64;
}

static size_t elements(const struct reference *r)
{
    return (size_t)r->n * r->n;
}

static size_t bytes(const struct reference *r, size_t count)
{
    return (is_wide(r) ? sizeof(double) : sizeof(float)) * (count + 1);
}

static void narrow(const struct reference *r, const double *from, size_t count, void *to)
{
    if (is_wide(r))
        memcpy(to, from, count * sizeof *from);
    else
        for (size_t k = 0; k < count; k++)
            ((float *)to)[k] = (float)from[k];
}

static void widen(const struct reference *r, const void *from, size_t count, double *to)
{
    if (is_wide(r))
        memcpy(to, from, count * sizeof *to);
    else
        for (size_t k = 0; k < count; k++)
            to[k] = (double)((const float *)from)[k];
}

vks_status reference_factor(const struct specimen *s, struct reference *r)
{
    lapack_int n = (lapack_int)s->n;
    *r = (struct reference){.n = s->n, .precision = s->precision, .singular = UINT32_MAX};
    r->LU = malloc(bytes(r, elements(r)));
    r->pivot = malloc(sizeof *r->pivot * (s->n + (size_t)1));
    if (!r->LU || !r->pivot)
        return VKS_OUT_OF_MEMORY;
    narrow(r, s->A, elements(r), r->LU);
    lapack_int info = is_wide(r) ? LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, r->LU, n, r->pivot)
                                 : LAPACKE_sgetrf(LAPACK_ROW_MAJOR, n, n, r->LU, n, r->pivot);
    if (info > 0)
        r->singular = (uint32_t)info - 1;
    return info < 0 ? VKS_OUT_OF_MEMORY : VKS_OK;
}

void reference_free(struct reference *r)
{
    free(r->LU);
    free(r->pivot);
    *r = (struct reference){0};
}

double reference_pivot(const struct reference *r, uint32_t k)
{
    size_t at = (size_t)k * r->n + k;
    return is_wide(r) ? ((const double *)r->LU)[at] : (double)((const float *)r->LU)[at];
}

vks_status reference_solve(const struct reference *r, const double *b, double *x)
{
    lapack_int n = (lapack_int)r->n, m = RIGHT_SIDES, info = -1;
    size_t count = (size_t)r->n * RIGHT_SIDES;
    void *v = malloc(bytes(r, count));
    if (v) {
        narrow(r, b, count, v);
        info = is_wide(r) ? LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', n, m, r->LU, n, r->pivot, v, m)
                          : LAPACKE_sgetrs(LAPACK_ROW_MAJOR, 'N', n, m, r->LU, n, r->pivot, v, m);
        widen(r, v, count, x);
    }
    free(v);
    return info ? VKS_OUT_OF_MEMORY : VKS_OK;
}

vks_status reference_invert(const struct reference *r, double *X)
{
    lapack_int n = (lapack_int)r->n, info = -1;
    void *v = malloc(bytes(r, elements(r)));
    if (v) {
        memcpy(v, r->LU, bytes(r, elements(r)) - bytes(r, 0));
        info = is_wide(r) ? LAPACKE_dgetri(LAPACK_ROW_MAJOR, n, v, n, r->pivot)
                          : LAPACKE_sgetri(LAPACK_ROW_MAJOR, n, v, n, r->pivot);
        widen(r, v, elements(r), X);
    }
    free(v);
    return info ? VKS_OUT_OF_MEMORY : VKS_OK;
}

vks_status reference_condition(const struct reference *r, double norm, double *reciprocal)
{
    lapack_int n = (lapack_int)r->n, info;
    float single = 0;
    if (is_wide(r))
        info = LAPACKE_dgecon(LAPACK_ROW_MAJOR, '1', n, r->LU, n, norm, reciprocal);
    else {
        info = LAPACKE_sgecon(LAPACK_ROW_MAJOR, '1', n, r->LU, n, (float)norm, &single);
        *reciprocal = (double)single;
    }
    return info ? VKS_OUT_OF_MEMORY : VKS_OK;
}

void reference_determinant(const struct reference *r, int *sign, double *log_of)
{
    *sign = 1;
    *log_of = 0;
    for (uint32_t k = 0; k < r->n; k++) {
        double pivot = reference_pivot(r, k);
        *log_of += log(fabs(pivot));
        if ((pivot < 0) != (r->pivot[k] != (lapack_int)k + 1))
            *sign = -*sign;
    }
}

void reference_rows(const struct reference *r, uint32_t *row_of)
{
    for (uint32_t k = 0; k < r->n; k++)
        row_of[k] = k;
    for (uint32_t k = 0; k < r->n; k++) {
        uint32_t other = (uint32_t)r->pivot[k] - 1, row = row_of[k];
        row_of[k] = row_of[other];
        row_of[other] = row;
    }
}
