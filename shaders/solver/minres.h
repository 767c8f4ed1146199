/* Declarations shared by the kernels of MINRES (GLSL), their twins and the method (C). */
#ifndef VKS_SOLVER_MINRES_H
#define VKS_SOLVER_MINRES_H

/* Rows of sums: q . z, and v . z of the next Lanczos vector. */
#define MINRES_QZ 0u
#define MINRES_VZ 1u
#define MINRES_ROWS 2u

/* The residual has stagnated if r . r does not fall to this share, a tenth of the norm, within so many
 * products. It rises only by rounding, and has diverged if it grows by this factor. All three are exact in
 * both precisions. */
#define MINRES_SHARE 0.8125
#define MINRES_PATIENCE 1000u
#define MINRES_GROWTH 4.0
#endif
