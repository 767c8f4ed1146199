/* Constants of matrices of small dense blocks, shared by kernels and verbs. */
#define BLOCKS_SIDE 8u         /* rows and columns of a block */
#define BLOCKS_SLOTS 10u       /* blocks of a product that a lane group sums at a time, at most */
#define BLOCKS_LANE_TERMS 256u /* terms of a row of A x per lane; the workgroup sums longer rows */

/* Parts of `wide` lanes in a lane group, one lane for each column of a block; a part sums a block. */
#define BLOCKS_GROUPS(wide) (32u / (wide) < BLOCKS_SLOTS ? 32u / (wide) : BLOCKS_SLOTS)
