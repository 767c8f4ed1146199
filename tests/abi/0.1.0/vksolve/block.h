/* vksolve/block.h -- batches of small dense blocks: thousands of inverses in one dispatch.
 *
 * Blocks are square, of 1 to 32 rows, and lie one after the other in an array of F64 or F32, each row after
 * row. An inverse comes from Gauss-Jordan elimination with partial pivoting, the columns of a row being the
 * candidates: the first of the largest in magnitude. The same bits come out on every device that passes
 * vks_context_selftest. Source: H. Anzt, J. Dongarra, G. Flegar, E. S. Quintana-Orti, "Batched Gauss-Jordan
 * elimination for block-Jacobi preconditioner generation on GPUs" (2017).
 *
 * Threads: as vksolve/context.h says. */
#ifndef VKSOLVE_BLOCK_H
#define VKSOLVE_BLOCK_H

#include "vksolve/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most rows of a block. */
#define VKS_LARGEST_INVERTED_BLOCK 32u

/* The first block that has no inverse, and its first row, both from 0, in which no column was left with an
 * entry that is finite and not zero; UINT32_MAX: all have one. */
typedef struct vks_block_report {
    uint32_t singular_block, singular_row;
} vks_block_report;

/* out = the inverses of `count` blocks of `size` rows in `in`, of which both arrays hold count size^2
 * elements. Of a singular block zeros are left, and the others are inverted all the same: VKS_OK, and *report
 * (which may be NULL) tells. What is not finite in a block leads to NaNs in its inverse, or counts as
 * singular. `out` may be `in`. VKS_INVALID_ARGUMENT: `size` is not 1 to 32, or the types, lengths or contexts
 * do not fit. VKS_LIMIT: more than 134,217,727 blocks. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST,
 * VKS_TIMEOUT. */
VKS_API vks_status vks_invert_blocks(uint32_t count, uint32_t size, const vks_array *in, vks_array *out,
                                     vks_block_report *report);

/* The same for blocks of different sizes: `rows` is an array of U32, of count + 1 ascending offsets from 0,
 * and block b has rows[b + 1] - rows[b] rows. VKS_INVALID_ARGUMENT also where one of these is not 1 to 32;
 * the message names it. */
VKS_API vks_status vks_invert_blocks_of_sizes(const vks_array *rows, const vks_array *in, vks_array *out,
                                              vks_block_report *report);

#ifdef __cplusplus
}
#endif
#endif
