/* A bound of the largest eigenvalue of M^-1 A. */
#ifndef VKS_SOLVERS_PRECOND_LANCZOS_H
#define VKS_SOLVERS_PRECOND_LANCZOS_H

#include "solvers/precond.h"

/* A diagonal matrix as kernels take it. */
struct diagonal_matrix {
    reals at;
    bool varies; /* false: at[0] stands in all rows */
};

/* A bound of the largest eigenvalue of M^-1 A, where A is the matrix of M, and both are symmetric. The start
 * is scaled by D, which is the inverse of the diagonal of A or, where nothing is known of that, the identity.
 * f refuses A where there is no finite bound above zero. Takes room for four vectors while it works. */
vks_status lanczos_bound(const struct precond *M, struct diagonal_matrix D, struct finding *f, double *bound);

#endif
