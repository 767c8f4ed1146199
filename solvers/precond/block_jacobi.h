/* Estimated gain of natural blocks. */
#ifndef VKS_SOLVERS_BLOCK_JACOBI_H
#define VKS_SOLVERS_BLOCK_JACOBI_H

#include "solvers/precond.h"

/* Share of the diagonal that blocks explain and the diagonal alone would not: the mean of 1 - 1 / (a_ii b_ii)
 * over all rows, where B is the inverse of the blocks of M, a block-Jacobi preconditioner that has refused
 * nothing. It is in [0, 1) for a positive definite A, and the same on every device. */
vks_status block_jacobi_share(const struct precond *M, double *share);

#endif
