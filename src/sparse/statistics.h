/* Statistics of a matrix before its format is chosen and made. One recording computes them on its device, and
 * they are read once. They are passed on, so that a format need not compute them again. */
#ifndef VKS_SPARSE_STATISTICS_H
#define VKS_SPARSE_STATISTICS_H

#include "shaders/sparse/statistics.h"
#include "sparse/kinds.h"
#include "sparse/matrix.h"

/* The most block rows of each size to inspect; the most blocks of a block row for KNOW_FULL_BLOCKS. */
enum { BLOCK_ROWS_SAMPLED = 1024, BLOCKS_SAMPLED = 8 };

/* The statistics to gather. */
enum {
    KNOW_LENGTHS = 1,      /* of the rows */
    KNOW_SLICES = 2,       /* storage and columns of slices of the matrix's height and sigma; and lengths */
    KNOW_BLOCKS = 4,       /* blocks of each size, and lengths */
    KNOW_FULL_BLOCKS = 16, /* only whether the first blocks of some block rows are full, and lengths */
    KNOW_SHAPE = 8,        /* diagonals and bandwidth, and lengths */
    KNOW_KINDS = 32,       /* of entries, if slices may be coded, and lengths */
    KNOW_FEW_KINDS = 64    /* whether codes fit into a byte, likewise; if so KNOW_KINDS and KNOW_SLICES */
};

struct statistics {
    unsigned what;
    bool only_full_blocks;           /* BSR is chosen only if all of its blocks are full */
    uint32_t word[STATISTICS_WORDS]; /* shaders/sparse/statistics.h */
    struct memory slice; /* KNOW_SLICES: slice offsets, slices + 1 of them; SELL takes ownership */
    struct memory order; /* KNOW_SLICES: the order of rows in slices; empty if rows are not permuted */
    struct kinds kinds;  /* KNOW_KINDS: the input of coded_create */
};

/* Gathers the statistics `what` (0: none) of A, whose CSR is on the device, with the slices of A->storage.
 * Must be released even after a failure. VKS_LIMIT: more windows of rows than can be sorted. */
vks_status statistics_gather(const vks_matrix *A, unsigned what, struct statistics *out);
void statistics_release(struct device *d, struct statistics *s); /* a zeroed struct is fine */

/* The mean row length, rounded down; the moments are about it. */
static inline uint32_t middle_length(const struct csr *A)
{
    return A->n ? A->entries / A->n : 0;
}

/* Entries of all slices, including padding. */
static inline uint64_t slices_padded(const struct statistics *s)
{
    return (uint64_t)s->word[SLICES_PADDED + 1] << 32 | s->word[SLICES_PADDED];
}

/* Statistics of the inspected blocks of one size. */
struct blocks_seen {
    uint32_t blocks, entries, partial; /* partial: 1 if some blocks are partial */
};

static inline struct blocks_seen blocks_seen(const struct statistics *s, uint32_t size)
{
    const uint32_t *w = s->word + BLOCKS_SEEN + 3 * (size - BLOCK_LEAST);
    return (struct blocks_seen){w[0], w[1], w[2]};
}

/* The largest size whose inspected blocks are all full; if there is none, the size with the fewest words for
 * columns and masks. */
uint32_t blocks_best_size(const struct statistics *s);

/* Marks each block size as having partial blocks. */
static inline void blocks_forget(struct statistics *s)
{
    for (uint32_t size = 0; size < BLOCK_SIZES; size++)
        s->word[BLOCKS_SEEN + 3 * size + 2] = 1;
}

/* Counts the rows in each class of lengths, their extremes and moments, and the sizes of slices of `height`
 * rows unless `sizes` is NULL. */
static inline void row_lengths(struct rec *r, const struct csr *A, uint32_t height, u32s order, u32s sizes,
                               u32s words)
{
    /* Limited, because all workgroups add to the same words. */
    uint64_t groups = groups_each(A->n) < 1024 ? groups_each(A->n) : 1024;
    run(r, row_lengths, groups, .row = A->row, .order = order, .sizes = sizes, .words = words, .n = A->n,
        .height = height, .middle = middle_length(A));
    bill(r, (order ? 8 : 4) * (uint64_t)A->n + (sizes ? 4 * (uint64_t)A->n / height : 0));
}

/* Inspects blocks of each size in at most `most` block rows: all blocks or, if `few` is not 0, at most `few`
 * in each row, stopping at a partial block. */
static inline void bsr_sample(struct rec *r, const struct csr *A, uint32_t most, uint32_t few, u32s words)
{
    run(r, bsr_sample, groups_each(BLOCK_SIZES * most), .row = A->row, .col = A->col, .words = words,
        .n = A->n, .cols = A->cols, .most = most, .few = few);
    bill(r, 4 * ((uint64_t)A->entries + A->n)); /* upper bound, counted once for each size */
}

/* Sets a bit for each diagonal with an entry, from the main one up and down. */
static inline void mark_diagonals(struct rec *r, const struct csr *A, u32s upper, u32s lower)
{
    run(r, mark_diagonals, groups_each(A->entries), .row = A->row, .col = A->col, .upper = upper,
        .lower = lower, .n = A->n, .entries = A->entries);
    bill(r, 4 * (uint64_t)A->entries);
}

/* count += the number of bits set in n words; raises `last` to the number of the last set bit */
static inline void bits_extent(struct rec *r, u32s bits, u32s count, u32s last, uint32_t n)
{
    run(r, bits_extent, groups_each(n), .bits = bits, .count = count, .last = last, .n = n);
    bill(r, 4 * (uint64_t)n);
}

#endif
