/* Numbers of gemm, shared by the kernel, its twin and the verb. */
#define GEMM_ROWS 128u      /* of a tile of C */
#define GEMM_COLS_WIDE 128u /* of a tile in f32 */
#define GEMM_COLS 64u       /* in f64 */

/* What becomes of C */
#define GEMM_SET 0u      /* C = A B */
#define GEMM_ADD 1u      /* C = C + A B */
#define GEMM_SUBTRACT 2u /* C = C - A B */
