/* Constants for the residual checks of a Jacobi iteration, and for giving it up. Read by the kernels (GLSL)
 * and by C. */
#ifndef VKS_SOLVER_JACOBI_H
#define VKS_SOLVER_JACOBI_H

#define JACOBI_SWEEP 8u     /* iterations between two residual checks */
#define JACOBI_ANCHOR 8u    /* checks between two residuals that are kept for the contraction */
#define JACOBI_GROWING 32.0 /* successive checks with growing residuals: it diverges */
#define JACOBI_CALM 64.0    /* checks without a new smallest residual: it stagnates, unless the */
#define JACOBI_HUMP 4.0     /* square of the norm has since grown by this factor */

#endif
