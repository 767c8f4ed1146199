/* Operation on row i of A x, the sum s, before it is written. Shared by kernels, twins and verbs
 * (sparse/then.h). */
#define PRODUCT_STEP 0u     /* y = x + w d (b - s) */
#define PRODUCT_RESIDUAL 1u /* y = b - s */
#define PRODUCT_ADD 2u      /* y = b + s */
#define PRODUCT_SCALED 3u   /* y = s, z = w d s */
