/* Numbers of adaptive FSAI that kernels and twins share. All are exact in f32. */
#ifndef VKS_FSAI_H
#define VKS_FSAI_H

#define FSAI_MOST 32u    /* entries of a row of a factor beside its diagonal: a lane has one */
#define FSAI_WINDOW 256u /* entries of a row of A that are candidates: the last before the column of the row */

#define FSAI_WEAK_DIAGONAL 0.0078125 /* of the largest of its row: a smaller diagonal entry counts as this */
#define FSAI_DROP 0.0009765625       /* of the largest of the row: smaller residuals are no candidates */
#define FSAI_LARGEST 8192.0          /* entries of a row of a factor, where all rows are scaled to 1 */
#define FSAI_LEAST_PIVOT 0.0009765625 /* of the largest of the row: smaller pivots become this */

/* Of the diagonal entry: a smaller pivot of a positive definite matrix is rounding. 2^8 units in the last
 * place. */
#if REAL == 64
#define FSAI_ROUNDING 5.684341886080801486968994140625e-14
#else
#define FSAI_ROUNDING 3.0517578125e-05
#endif

#endif
