/* Shared by the calls of bits_run.c and bits_calls.c. */
#ifndef VKS_BENCH_BITS_INSIDE_H
#define VKS_BENCH_BITS_INSIDE_H

#include "support/bits_run.h"

struct bits_job {
    vks_context *context;
    const struct bits_csr *a;
    const struct bits_case *c;
    vks_precision precision, of_vectors;
    double *values; /* of A on the device */
    double *b, *x0; /* a->rows and a->cols elements */
    vks_solve_options o;
    vks_matrix *A; /* NULL for CALL_ONE_OFF and operators */
    vks_vector *on_b, *on_x;
    struct bits_outcome out;
};

/* Copies the message of a failed call; returns its status. */
vks_status bits_checked(struct bits_job *j, vks_status s);

void bits_hash_doubles(uint64_t *hash, const double *values, uint64_t count);

/* Adds an x to the hash. */
vks_status bits_take(struct bits_job *j, const vks_vector *x);

/* X(CALL, function) */
#define BITS_CALLS(X)             \
    X(SOLVE, solve_once)          \
    X(FIXED_POINT, iterate_once)  \
    X(FIXED_AS_IS, iterate_once)  \
    X(KEPT, solve_twice)          \
    X(UPDATED, solve_twice)       \
    X(LIMITS, solve_twice)        \
    X(SUBMITTED, solve_submitted) \
    X(MANY, solve_many)           \
    X(ONE_OFF, solve_arrays)      \
    X(OPERATOR, solve_operator)   \
    X(OPERATOR_D, solve_operator) \
    X(DENSE, eliminate_dense)     \
    X(INVERSE, invert)

#define BITS_CALL_(CALL, function) vks_status function(struct bits_job *j);
BITS_CALLS(BITS_CALL_)
#undef BITS_CALL_

#endif
