/* A bound of the largest eigenvalue of M^-1 A. */
#ifndef VKS_SOLVERS_BOUNDS_LANCZOS_H
#define VKS_SOLVERS_BOUNDS_LANCZOS_H

#include "solvers/precond.h"

/* A diagonal matrix in the form that kernels read. */
struct diagonal_matrix {
    reals at;
    bool varies; /* false: all rows have at[0] */
};

/* Computes a bound of the largest eigenvalue of M^-1 A, where A is the matrix of M, and both are symmetric.
 * The start is scaled by D, the inverse diagonal of A or, if that is unknown, the identity. f refuses A if
 * there is no finite bound above zero. Temporarily allocates up to six vectors. */
vks_status lanczos_bound(const struct precond *M, struct diagonal_matrix D, struct diagnosis *f,
                         double *bound);

#endif
