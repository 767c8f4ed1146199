/* Balanced CSR on the device and its verbs: rows sorted by length, in slices of 32 threads
 * (shaders/sparse/balanced.glsl), for rows of very different lengths. Pieces of long rows follow the
 * slices. */
#ifndef VKS_SPARSE_BALANCED_H
#define VKS_SPARSE_BALANCED_H

#include "shaders/sparse/balanced.h"
#include "sparse/hot.h"

/* With at most this many entries there are too few rows to hide load latency, so longer rows get more threads
 * than lanes. */
enum { BALANCED_FEW = 1 << 23 };

struct balanced {
    u32s order, slice, col;
    values val;
    uint32_t above[BALANCED_CLASSES - 1]; /* rows of more than 128, 64 and 32 entries, except long rows */
    uint32_t slices, padded;              /* entries, including padding of the slices */
};

/* The number of slices for n rows with this many lanes, from B->above. */
static inline uint64_t balanced_slices(const struct balanced *B, uint32_t n, uint32_t lanes)
{
    uint64_t groups = 0;
    for (uint32_t k = 0, begin = 0; k < BALANCED_CLASSES; k++) {
        uint32_t end = k + 1 < BALANCED_CLASSES ? B->above[k] : n;
        groups += groups_rows(end - begin, BALANCED_TEAM(k) > lanes ? BALANCED_TEAM(k) : lanes);
        begin = end;
    }
    return 8 * groups;
}

/* Bytes of one pass over the padded matrix, without long rows. */
static inline uint64_t balanced_bytes(const struct rec *r, const struct csr *A, const struct balanced *B)
{
    return (uint64_t)B->padded * (4 + value_bytes(r->precision)) + 4 * ((uint64_t)A->n + B->slices + 1);
}

/* Computes the words at `above`, initially zero, from the order of the rows. */
static inline void balanced_above(struct rec *r, const struct csr *A, const struct balanced *B, u32s above)
{
    run(r, balanced_above, groups_each(A->n), .row = A->row, .order = B->order, .above = above, .n = A->n);
    bill(r, 12 * (uint64_t)A->n);
}

/* Computes the entries of each slice from the order of the rows. */
static inline void balanced_sizes(struct rec *r, const struct csr *A, const struct balanced *B, u32s size)
{
    run(r, balanced_sizes, groups_each(B->slices), .row = A->row, .order = B->order, .size = size, .n = A->n,
        .lanes = A->lanes, .above128 = B->above[0], .above64 = B->above[1], .above32 = B->above[2],
        .slices = B->slices);
    bill(r, 16 * (uint64_t)B->slices);
}

/* Fills the columns and values of B, whose slices are known, from A; name: names of the columns, or NULL */
static inline void csr_to_balanced(struct rec *r, const struct csr *A, const struct balanced *B, u32s name)
{
    run(r, csr_to_balanced, B->slices / 8, .row = A->row, .from_col = A->col, .from_val = reals_of(r, A->val),
        .order = B->order, .name = name, .slice = B->slice, .col = B->col, .val = reals_of(r, B->val),
        .n = A->n, .lanes = A->lanes, .above128 = B->above[0], .above64 = B->above[1], .above32 = B->above[2],
        .slices = B->slices);
    bill(r, csr_short_bytes(r, A) + balanced_bytes(r, A, B) + (name ? 4 * (uint64_t)short_entries(A) : 0));
}

/* y = A x. B must have been made with `hot`, which may be empty. */
static inline void spmv_balanced(struct rec *r, const struct csr *A, const struct balanced *B,
                                 const struct hot_columns *hot, struct vec x, struct vec y)
{
    const struct long_rows *w = A->longs;
    uint32_t pieces = w ? w->pieces : 0;
    if (hot->count)
        hot_gather(r, hot, x);
    run(r, spmv_balanced, B->slices / 8 + ((uint64_t)pieces + 7) / 8, .slice = B->slice, .col = B->col,
        .val = B->val, .order = B->order, .x = vec_reals(x), .hot_x = (reals)(uintptr_t)hot->x.address,
        .y = vec_reals(y), .bits = long_bits(A), .list = pieces ? words_of(&w->list) : NULL,
        .start = pieces ? words_of(&w->start) : NULL, .sum = pieces ? (sums)(uintptr_t)w->sum.address : NULL,
        .n = A->n, .cols = A->cols, .lanes = A->lanes, .above128 = B->above[0], .above64 = B->above[1],
        .above32 = B->above[2], .slices = B->slices, .pieces = pieces, .longs = w != NULL);
    bill(r, balanced_bytes(r, A, B) + vec_bytes(x) + vec_bytes(y));
    if (pieces) {
        bill(r, long_bytes(r, w) + 4 * (uint64_t)pieces);
        long_rest(r, w, y);
    }
}

#endif
