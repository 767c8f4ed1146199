/* A vector v in the null space of a symmetric A, up to rounding. It is found from the residual of an x that
 * iterations no longer improve. Any solution x of A x = b satisfies v . b = (A v) . x. So unless b is nearly
 * orthogonal to v, only a large x can be a solution. */
#ifndef VKS_SOLVERS_RESIDUAL_NULL_VECTOR_H
#define VKS_SOLVERS_RESIDUAL_NULL_VECTOR_H

#include "solvers/method.h"

struct null_part {
    bool is_out_of_reach; /* for every x, ||b - A x|| or its rounding is above the target */
    bool is_proof;        /* in addition, A v is rounding error: A is singular */
    double norm;          /* of the part of b along v */
    double image;         /* ||A v|| / || |A| |v| || */
    double solution;      /* lower bound of the norm of a solution */
    uint32_t row;         /* row of the largest element of v, from 0 */
};

/* Searches for such a vector, by MINRES. A is symmetric, has entries, and its CSR is held. Finds none in
 * pairs of floats, or on a device without 64-bit floats. `target`: the goal of ||b - A x||. */
vks_status null_part_find(const struct equation *q, double target, struct null_part *out);

#endif
