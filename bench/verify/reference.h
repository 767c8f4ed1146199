/* LAPACK's results, in the specimen's precision, double or single: xGETRF and what depends on it. */
#ifndef VKS_BENCH_REFERENCE_H
#define VKS_BENCH_REFERENCE_H

#include "verify/specimen.h"

#include <lapacke.h>
#include <stdbool.h>

struct reference {
    uint32_t n;
    vks_precision precision;
    void *LU; /* by rows, doubles or floats */
    lapack_int *pivot;
    uint32_t singular; /* the column of a zero pivot, from 0; UINT32_MAX for none */
};

/* VKS_OUT_OF_MEMORY also if LAPACKE runs out of memory. reference_free is valid even after a failure. */
vks_status reference_factor(const struct specimen *s, struct reference *r);
void reference_free(struct reference *r);

double reference_pivot(const struct reference *r, uint32_t k);
/* xGETRS; x: n x RIGHT_SIDES by rows. */
vks_status reference_solve(const struct reference *r, const double *b, double *x);
/* xGETRI; X: n x n by rows. */
vks_status reference_invert(const struct reference *r, double *X);
/* xGECON in the 1-norm, `norm` that of A. */
vks_status reference_condition(const struct reference *r, double norm, double *reciprocal);
void reference_determinant(const struct reference *r, int *sign, double *log_of);
/* row_of[k]: the row of A that became pivot k. */
void reference_rows(const struct reference *r, uint32_t *row_of);

#endif
