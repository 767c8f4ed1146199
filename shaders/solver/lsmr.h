/* Declarations shared by the kernels of LSMR (GLSL), their twins and the method (C). */
#ifndef VKS_SOLVER_LSMR_H
#define VKS_SOLVER_LSMR_H

/* Rows of sums: u . u and v . v. */
#define LSMR_U 0u
#define LSMR_V 1u
#define LSMR_ROWS 2u

/* Reals of struct lsmr_scalars. */
#define LSMR_SCALARS 15u

/* Kinds of breakdown. */
#define LSMR_SOUND 0u
#define LSMR_NO_PIVOT 1u   /* alpha, rho or rhobar is zero */
#define LSMR_NOT_FINITE 2u /* one of the scalars */

/* The exponents of column scales stay within the range of a real by this margin. */
#define LSMR_MARGIN 7

#endif
