/* Constants of the product that keeps part of x in shared memory, shared by kernels and twins. */
#define CACHED_ROWS 256u  /* rows that a workgroup takes at a time */
#define CACHED_MOST 1536u /* elements of x that it keeps: 12 KiB in f64 */
