/* Verbs on batches of small blocks. */
#ifndef VKS_BLOCK_VERBS_H
#define VKS_BLOCK_VERBS_H

#include "shaders/block/invert.h"
#include "sparse/csr.h"

/* Blocks on the device. All have `size` rows; if that is 0, block b has rows[b + 1] - rows[b] rows, at most
 * `most`, and its entries begin at at[b]. */
struct block_batch {
    uint32_t count, size, most;
    u32s rows, at;
    uint64_t entries; /* of all blocks */
};

/* `to` = the inverses of the blocks in `from`; fault as in block_invert_4.comp. */
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

/* Sets bit i of `alike`, initially all clear, if row i of A has the columns of the previous row, at most
 * ALIKE_MOST. */
static inline void rows_alike(struct rec *r, const struct csr *A, u32s alike)
{
    run(r, rows_alike, groups_each(A->n), .row = A->row, .col = A->col, .alike = alike, .n = A->n);
    bill(r, 4 * ((uint64_t)A->entries + A->n));
}

/* Diagonal blocks of a matrix: `count` of them, with `most` rows at most and `entries` entries in all. */
struct diagonal_blocks {
    uint32_t count, most;
    uint64_t entries;
    struct memory of;    /* the block of each row */
    struct memory first; /* the first row of each block, and n */
    struct memory at;    /* the start of each block in `value` */
    struct memory value; /* block after block, each column-major */
};

static inline reals block_values(const struct diagonal_blocks *q)
{
    return (reals)(uintptr_t)q->value.address;
}

static inline void block_gather(struct rec *r, const struct csr *A, const struct diagonal_blocks *q)
{
    run(r, block_gather, groups_each(A->n), .row = A->row, .col = A->col, .val = A->val,
        .of = words_of(&q->of), .first = words_of(&q->first), .at = words_of(&q->at), .to = block_values(q),
        .n = A->n);
    bill(r, q->entries * (value_bytes(r->precision) + 4 + real_bytes(r->precision)));
}

/* Inverts the blocks in place; fault as in block_invert_4.comp. */
static inline void block_invert(struct rec *r, const struct diagonal_blocks *q, u32s fault)
{
    struct block_batch all = {.count = q->count,
                              .most = q->most,
                              .rows = words_of(&q->first),
                              .at = words_of(&q->at),
                              .entries = q->entries};
    invert_blocks(r, &all, block_values(q), block_values(q), fault);
}

/* share = the share of each row's diagonal entry that the rest of its block explains; q holds inverses */
static inline void block_shares(struct rec *r, const struct csr *A, const struct diagonal_blocks *q,
                                reals share)
{
    run(r, block_shares, groups_each(A->n), .row = A->row, .col = A->col, .val = A->val,
        .of = words_of(&q->of), .first = words_of(&q->first), .at = words_of(&q->at),
        .blocks = block_values(q), .share = share, .n = A->n);
    bill(r, csr_bytes(r, A) + 2 * vector_bytes(r, A->n) + 8 * (uint64_t)A->n);
}

/* y = B x, and the stripe sums of x . y in row `row` of the reduction */
static inline void block_apply(struct rec *r, const struct diagonal_blocks *q, struct vec x, struct vec y,
                               const struct reduction *w, uint32_t row)
{
    assert(vecs_fit(x, y));
    run_in(r, x.precision, block_apply, stripes_of_elements(x.n), .blocks = block_values(q),
           .of = words_of(&q->of), .first = words_of(&q->first), .at = words_of(&q->at), .r = vec_reals(x),
           .z = vec_reals(y), .s = reduction_sums(w), .n = x.n, .to = row * w->stride);
    bill(r, q->entries * real_bytes(x.precision) + 2 * vec_bytes(x) + 4 * (uint64_t)x.n +
                8 * (uint64_t)q->count);
}

#endif
