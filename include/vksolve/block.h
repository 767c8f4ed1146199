/* vksolve/block.h -- batches of small dense blocks: thousands of inverses in one dispatch.
 *
 * Blocks are square, of 1 to 32 rows, and lie one after the other in an array of F64 or F32, row by row. They
 * are inverted by Gauss-Jordan elimination; the pivot of a row is its entry of largest magnitude, the first
 * of equals. The bits are the same on every device that passes vks_context_selftest. Source: H. Anzt, J.
 * Dongarra, G. Flegar, E. S. Quintana-Orti, "Batched Gauss-Jordan elimination for block-Jacobi preconditioner
 * generation on GPUs" (2017).
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_BLOCK_H
#define VKSOLVE_BLOCK_H

#include "vksolve/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most rows of a block. */
#define VKS_LARGEST_INVERTED_BLOCK 32u

/* The first singular block, and its first row without a finite non-zero pivot, both from 0; UINT32_MAX:
 * none. */
typedef struct vks_block_report {
    uint32_t singular_block, singular_row;
} vks_block_report;

/* out = the inverses of the `count` blocks of `size` rows in `in`; both arrays have count size^2 elements. A
 * singular block becomes zero, and the call still returns VKS_OK: *report (which may be NULL) names the first
 * one. A block that is not finite becomes NaN, or counts as singular. `out` may be `in`.
 * VKS_INVALID_ARGUMENT: `size` is not 1 to 32, or the types, lengths or contexts do not fit. VKS_LIMIT: more
 * than 134,217,727 blocks. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT. */
static inline vks_status vks_invert_blocks(uint32_t count, uint32_t size, const vks_array *in, vks_array *out,
                                           vks_block_report *report);
VKS_CALL(vks_invert_blocks, (count, size, in, out, report), uint32_t count, uint32_t size,
         const vks_array *in, vks_array *out, vks_block_report *report)

/* The same for blocks of different sizes: `rows` is an array of U32, of count + 1 ascending offsets from 0,
 * and block b has rows[b + 1] - rows[b] rows. VKS_INVALID_ARGUMENT: also if a block does not have 1 to 32
 * rows; the message names it. */
static inline vks_status vks_invert_blocks_of_sizes(const vks_array *rows, const vks_array *in,
                                                    vks_array *out, vks_block_report *report);
VKS_CALL(vks_invert_blocks_of_sizes, (rows, in, out, report), const vks_array *rows, const vks_array *in,
         vks_array *out, vks_block_report *report)

#ifdef __cplusplus
}
#endif
#endif
