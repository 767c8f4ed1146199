/* Constants of Gauss-Jordan elimination, shared by its kernels, their twins and its recording. */
#define PIVOT_WIDTH                                                                                      \
    128u /* columns of a panel, eliminated one after another before they are applied to the others; part \
            of the order of operations, and so of the bits */
#define PIVOT_ROWS 128u        /* rows per workgroup, if one dispatch eliminates a panel */
#define PIVOT_SMALL_ROWS 64u   /* the same on devices with few registers */
#define PIVOT_GROUPS 256u      /* the most workgroups of a panel */
#define PIVOT_NONE 0xFFFFFFFFu /* no such row; a row that has not been a pivot */
#define PIVOT_BLOCK 16u        /* columns whose factors the twin of such a dispatch keeps */

/* Values that a workgroup publishes for its candidate: the row, the element, and the row's position in 16
 * bits. Each value is several words (halves.glsl). */
#define PIVOT_POSTED (PIVOT_WIDTH + 2u)

/* Words of the state */
#define PIVOT_ENDING 0u /* how the elimination ended, PIVOT_...; 0: not yet */
#define PIVOT_COLUMN 1u /* the column at which it ended */
#define PIVOT_STATE_WORDS 2u
#define PIVOT_ZERO 1u    /* every element that could be a pivot is zero: the matrix is singular */
#define PIVOT_SPECIAL 2u /* the largest element is an infinity, or some element is a NaN */
#define PIVOT_ALONE 3u   /* synchronisation between workgroups timed out; the largest */
