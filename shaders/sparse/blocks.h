/* Numbers that the kernels of matrices of small dense blocks and their verbs share. */
#define BLOCKS_SIDE 8u         /* rows and columns of a block */
#define BLOCKS_SLOTS 10u       /* blocks of a product that a squad sums at a time, at most */
#define BLOCKS_LANE_TERMS 256u /* of a row of A x to a lane; rows of more are summed by the workgroup */

/* Groups of `wide` lanes in a squad, a lane for each column of a block; a group sums a block. */
#define BLOCKS_GROUPS(wide) (32u / (wide) < BLOCKS_SLOTS ? 32u / (wide) : BLOCKS_SLOTS)
