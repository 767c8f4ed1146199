/* Constants of gemm, shared by the kernels, their twins and the verb. */
#define GEMM_TILE 128u      /* rows and columns of C that a workgroup takes */
#define GEMM_SMALL_TILE 64u /* for few tiles */
#define GEMM_FEW 128u       /* tiles; fewer would leave large GPUs idle */

/* Modes for C */
#define GEMM_SET 0u      /* C = A B */
#define GEMM_ADD 1u      /* C = C + A B */
#define GEMM_SUBTRACT 2u /* C = C - A B */
