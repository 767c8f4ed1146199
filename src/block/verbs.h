/* The verbs on batches of small blocks. */
#ifndef VKS_BLOCK_VERBS_H
#define VKS_BLOCK_VERBS_H

#include "shaders/block/invert.h"
#include "vector/verbs.h"

/* Blocks on the device: all of `size` rows, or where that is 0, block b has rows[b + 1] - rows[b] of them, at
 * most `most`, and its entries begin at at[b]. */
struct block_batch {
    uint32_t count, size, most;
    u32s rows, at;
    uint64_t entries; /* of all */
};

/* `to` = the inverses of the blocks in `from`, and their fault, as block_invert_4.comp says. */
static inline void invert_blocks(struct rec *r, const struct block_batch *q, reals from, reals to, u32s fault)
{
#define VKS_INVERT_(width, least)                                                                          \
    if (q->size ? q->size > (least) && q->size <= (width) : q->most > (least))                             \
    run(r, block_invert_##width, ((uint64_t)q->count * (width) + 255) / 256, .rows = q->rows, .at = q->at, \
        .from = from, .to = to, .fault = fault, .count = q->count, .size = q->size)
    VKS_INVERT_(4, 0);
    VKS_INVERT_(8, 4);
    VKS_INVERT_(16, 8);
    VKS_INVERT_(32, 16);
#undef VKS_INVERT_
    bill(r, 2 * q->entries * real_bytes(r->precision));
}

#endif
