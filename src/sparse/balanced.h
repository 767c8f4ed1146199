/* Balanced CSR: a list of the rows by length, for rows of very different lengths. Its entries are those of
 * CSR, long rows included. */
#ifndef VKS_SPARSE_BALANCED_H
#define VKS_SPARSE_BALANCED_H

#include "../../shaders/sparse/balanced.h"
#include "sparse/matrix.h"

/* The rows, the longest first, the range of each, and how many have more than 32, 16 and 8 entries. */
struct balanced {
    u32s order, range;
    uint32_t above[BALANCED_CLASSES];
};

/* The ranges of the rows as they stand in B->order, and the words at `above`, which were zero. */
static inline void balanced_ranges(struct rec *r, const struct csr *A, const struct balanced *B, u32s above)
{
    run(r, balanced_ranges, groups_each(A->n), .row = A->row, .order = B->order, .range = B->range,
        .above = above, .n = A->n);
    bill(r, 20 * (uint64_t)A->n);
}

/* Workgroups for all rows, those of more entries with more threads. */
static inline uint64_t balanced_groups(const struct csr *A, const struct balanced *B)
{
    uint64_t groups = 0;
    for (uint32_t c = 0, begin = 0; c <= BALANCED_CLASSES; c++) {
        uint32_t end = c < BALANCED_CLASSES ? B->above[c] : A->n;
        groups += groups_rows(end - begin, BALANCED_TEAM(c) > A->lanes ? BALANCED_TEAM(c) : A->lanes);
        begin = end;
    }
    return groups;
}

/* y = A x; within a solve only while its state is alive (c NULL: always) */
static inline void spmv_balanced(struct rec *r, control c, const struct csr *A, const struct balanced *B,
                                 reals x, reals y)
{
    const struct long_rows *w = A->longs;
    uint32_t pieces = w ? w->pieces : 0;
    run(r, spmv_balanced, ((uint64_t)pieces + 7) / 8 + balanced_groups(A, B), .c = c, .col = A->col,
        .val = A->val, .x = x, .y = y, .order = B->order, .range = B->range,
        .list = pieces ? long_words(&w->list) : NULL, .sum = pieces ? (sums)(uintptr_t)w->sum.address : NULL,
        .n = A->n, .lanes = A->lanes, .above32 = B->above[0], .above16 = B->above[1], .above8 = B->above[2],
        .pieces = pieces);
    bill(r, csr_bytes(r, A) + 8 * (uint64_t)A->n + 16 * (uint64_t)pieces + vector_bytes(r, A->cols) +
                vector_bytes(r, A->n));
    if (pieces)
        long_rest(r, c, w, y);
}

#endif
