/* Declarations shared by the kernels of IDR(4) (GLSL), their twins and the method (C). */
#ifndef VKS_SOLVER_IDR_H
#define VKS_SOLVER_IDR_H

/* Directions of a cycle, or the number of rows if there are fewer. A cycle has one product more. */
#define IDR_S 4u

/* Rows of sums: r . r; the shadow sums of r; then either the shadow sums and the square of a new column of G,
 * or t . t, t . r and the plain r . r. The last three are separate: a kernel reads them while it writes those
 * of r. */
#define IDR_RR 0u
#define IDR_SHADOW 1u
#define IDR_GG 5u
#define IDR_MINIMUM 6u
#define IDR_ROWS 9u

/* Kinds of breakdown. */
#define IDR_SOUND 0u
#define IDR_NO_PIVOT 1u /* a new column of G is orthogonal to its shadow vector */
#define IDR_NO_STEP 2u  /* t . r or t . t is zero */

/* The residual has stagnated after this many products without progress (course.h). */
#define IDR_PATIENCE 300u

/* Least cosine of t and r: a smaller one lengthens omega. */
#define IDR_COSINE 0.6875
/* A pivot below this share of its column, times the root of n, is rounding. */
#define IDR_ROUNDING_64 8.8817841970012523e-16
#define IDR_ROUNDING_32 4.76837158203125e-07

#endif
