/* A bound of the largest eigenvalue of M^-1 A. */
#ifndef VKS_SOLVERS_BOUNDS_LANCZOS_H
#define VKS_SOLVERS_BOUNDS_LANCZOS_H

#include "solvers/precond.h"

/* A diagonal matrix as kernels take it. */
struct diagonal_matrix {
    reals at;
    bool varies; /* false: at[0] stands in all rows */
};

/* Finds a bound of the largest eigenvalue of M^-1 A, where A is the matrix of M, and both are symmetric. The
 * start is scaled by D, the inverse of the diagonal of A or, if that is unknown, the identity. f refuses A if
 * there is no finite bound above zero. Takes memory for up to six vectors while it works. */
vks_status lanczos_bound(const struct precond *M, struct diagonal_matrix D, struct diagnosis *f,
                         double *bound);

#endif
