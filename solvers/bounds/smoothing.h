/* Optimised Chebyshev polynomials of the fourth kind: J. Lottes, "Optimal polynomial smoothers for multigrid
 * V-cycles" (2023). They need no lower bound of the eigenvalues. Their zeros are real, so each is a step of
 * Richardson's iteration, and the number of steps is one more than the degree of the preconditioner. */
#ifndef VKS_SOLVERS_BOUNDS_SMOOTHING_H
#define VKS_SOLVERS_BOUNDS_SMOOTHING_H

#include "vksolve/precond.h"

enum { SMOOTHING_STEPS = VKS_LARGEST_DEGREE + 1 /* at most */ };

/* [degree - 1][i]: weight of step i, times the upper bound of the eigenvalues. The largest comes first, so
 * that rounding errors grow by less than ten. */
extern const double smoothing_weights[VKS_LARGEST_DEGREE][SMOOTHING_STEPS];

#endif
