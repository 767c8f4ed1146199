/* Numbers of the product that keeps part of x at hand, shared by kernels and twins. */
#define CACHED_ROWS 256u  /* rows of a workgroup's turn */
#define CACHED_MOST 1536u /* elements of x that it keeps: 12 KiB in f64 */
