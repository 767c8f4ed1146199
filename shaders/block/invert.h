/* Batches of small square blocks. Read by the kernels (GLSL) and by C. */
#ifndef VKS_BLOCK_INVERT_H
#define VKS_BLOCK_INVERT_H

#define BLOCK_MOST 32u               /* rows of a block */
#define BLOCKS_MOST 134217727u       /* in a batch: a block and one of its rows share a word */
#define BLOCK_FAULT_NONE 0xFFFFFFFFu /* all blocks have an inverse */
#define ALIKE_MOST \
    32768u /* entries in a row compared with the previous one: software devices end longer loops */

#endif
