/* Declarations shared by the kernels of GMRES(m) (GLSL), their twins and the method (C). */
#ifndef VKS_SOLVER_GMRES_H
#define VKS_SOLVER_GMRES_H

/* The most columns of the basis. */
#define GMRES_MOST 100u

/* The Hessenberg matrix and related columns, an array of elements in columns of m + 1: */
#define GMRES_H 0u       /* V^T w, then V^T of the rest after one orthogonalization */
#define GMRES_AGAIN 1u   /* the same, for the second orthogonalization */
#define GMRES_COSINES 2u /* of the rotations; the sines are real */
#define GMRES_SINES 3u
#define GMRES_RIGHT 4u    /* the residual's norm, with its sign, before each column */
#define GMRES_Y 5u        /* the coefficients of the correction */
#define GMRES_RESIDUAL 6u /* of the next first column, which is the residual, in terms of the old basis */
#define GMRES_R 7u        /* the first of m columns of the triangle */
#define GMRES_COLUMNS(m) (GMRES_R + (m))

/* Kinds of breakdown. */
#define GMRES_SOUND 0u
#define GMRES_NO_PIVOT 1u /* the space is exhausted, and A is singular on it */

/* The residual has stagnated after this many iterations without progress (course.h). */
#define GMRES_PATIENCE 300u

/* A remainder below this share of a vector is rounding. */
#define GMRES_ROUNDING_64 8.8817841970012523e-16
#define GMRES_ROUNDING_32 4.76837158203125e-07

#endif
