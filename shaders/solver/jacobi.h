/* When a Jacobi iteration is looked at, and when it is given up. Read by the kernels (GLSL) and by C. */
#ifndef VKS_SOLVER_JACOBI_H
#define VKS_SOLVER_JACOBI_H

#define JACOBI_SWEEP 8u     /* iterations between two looks at the residual, a "check" */
#define JACOBI_ANCHOR 8u    /* checks between two residuals that are kept for the contraction */
#define JACOBI_GROWING 32.0 /* checks in a row with a larger residual each: it diverges */
#define JACOBI_CALM 64.0    /* checks without a smaller residual than ever before: it stagnates, unless the */
#define JACOBI_HUMP 4.0     /* square of the norm has grown by this much since: then something is going on */

#endif
