/* Numbers of Gauss-Jordan elimination, shared by kernels, twins and the recording of it. */
#define PIVOT_WIDTH                                                                                   \
    16u /* columns that are eliminated one after the other before the others learn of it; part of the \
           order of operations, and so of the bits */
#define PIVOT_GROUPS 256u      /* the most workgroups that look for a pivot */
#define PIVOT_NONE 0xFFFFFFFFu /* no such row; a row that has not been a pivot's */

/* Words of the state */
#define PIVOT_ENDING 0u /* how it has ended: 0 not, else PIVOT_... */
#define PIVOT_COLUMN 1u /* at which column */
#define PIVOT_STATE_WORDS 2u
#define PIVOT_ZERO 1u    /* every element that could be a pivot is zero: the matrix is singular */
#define PIVOT_SPECIAL 2u /* the largest is an infinity, or one is a NaN */
