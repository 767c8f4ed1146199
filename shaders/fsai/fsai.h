/* Constants of adaptive FSAI, shared by kernels and twins. All are exact in f32. */
#ifndef VKS_FSAI_H
#define VKS_FSAI_H

#define FSAI_MOST 32u    /* off-diagonal entries of a row of a factor: one per lane */
#define FSAI_WINDOW 256u /* candidates in a row of A: the last entries before the row's column */

#define FSAI_WEAK_DIAGONAL 0.0078125  /* of the row's largest: a smaller diagonal entry counts as this */
#define FSAI_DROP 0.0009765625        /* of the row's largest: smaller residuals are no candidates */
#define FSAI_LARGEST 8192.0           /* largest entry of a factor's row, if all rows are scaled to 1 */
#define FSAI_LEAST_PIVOT 0.0009765625 /* of the row's largest: smaller pivots become this */

/* Relative to the diagonal entry: a smaller pivot of a positive definite matrix is rounding. 2^8 ulps. */
#if REAL == 64
#define FSAI_ROUNDING 5.684341886080801486968994140625e-14
#else
#define FSAI_ROUNDING 3.0517578125e-05
#endif

#endif
