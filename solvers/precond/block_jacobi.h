/* What natural blocks would gain. */
#ifndef VKS_SOLVERS_BLOCK_JACOBI_H
#define VKS_SOLVERS_BLOCK_JACOBI_H

#include "solvers/precond.h"

/* The share of the diagonal that blocks explain, which the diagonal alone would not see: the mean of
 * 1 - 1 / (a_ii b_ii) over all rows, B the inverse of the blocks of M, a block-Jacobi preconditioner that has
 * refused nothing. It is in [0, 1) for a positive definite A. The same on every device. */
vks_status block_jacobi_share(const struct precond *M, double *share);

#endif
