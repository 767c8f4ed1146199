/* Declarations shared by the kernels of BiCGStab(4) (GLSL), their twins and the method (C). */
#ifndef VKS_SOLVER_BICGSTAB_H
#define VKS_SOLVER_BICGSTAB_H

/* Iterations of a cycle, each of two products; the degree of the minimal-residual polynomial. */
#define BICGSTAB_L 4u

/* Rows of sums: r~ . r_j; r . r; r~ . u_j+1; and the products r_i . r_j, i <= j, row by row. */
#define BICGSTAB_RHO 0u
#define BICGSTAB_RR 1u
#define BICGSTAB_GAMMA 2u
#define BICGSTAB_GRAM 3u
#define BICGSTAB_PRODUCTS 15u
#define BICGSTAB_ROWS 18u

/* Index of r_i . r_j, i <= j, among the products. */
#define BICGSTAB_PLACE(i, j) (5u * (i) + (j) - (i) * ((i) + 1u) / 2u)

/* Kinds of breakdown. */
#define BICGSTAB_SOUND 0u
#define BICGSTAB_NO_RHO 1u   /* the residual is orthogonal to its shadow vector */
#define BICGSTAB_NO_GAMMA 2u /* the product with a direction is orthogonal to it */
#define BICGSTAB_NO_OMEGA 3u /* the polynomial has lost its last coefficient */

/* The residual has stagnated after this many iterations without progress (course.h). */
#define BICGSTAB_PATIENCE 300u

/* A pivot of the products below this share of its square is rounding. */
#define BICGSTAB_ROUNDING_64 8.8817841970012523e-16
#define BICGSTAB_ROUNDING_32 4.76837158203125e-07

#endif
