/* Numbers that the kernels of matrices of small dense blocks and their verbs share. */
#define BLOCKS_SIDE 8u         /* rows and columns of a block */
#define BLOCKS_SLOTS 10u       /* blocks of a product that a squad sums at a time, at most */
#define BLOCKS_LANE_TERMS 256u /* terms of a row of A x per lane; the workgroup sums longer rows */

/* Groups of `wide` lanes in a squad, one lane for each column of a block; a group sums a block. */
#define BLOCKS_GROUPS(wide) (32u / (wide) < BLOCKS_SLOTS ? 32u / (wide) : BLOCKS_SLOTS)
