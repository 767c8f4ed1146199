/* Declarations shared by the kernels of MINRES (GLSL), their twins and the method (C). */
#ifndef VKS_SOLVER_MINRES_H
#define VKS_SOLVER_MINRES_H

/* Rows of sums: q . z, and v . z of the next Lanczos vector. */
#define MINRES_QZ 0u
#define MINRES_VZ 1u
#define MINRES_ROWS 2u

/* The residual has stagnated after this many products without progress (course.h). It rises only by rounding, and has
 * diverged if r . r grows by this factor. */
#define MINRES_PATIENCE 1000u
#define MINRES_GROWTH 4.0
#endif
