/* Balanced CSR: the rows in blocks of about as many entries, for rows of very different lengths. Its entries
 * are those of CSR. */
#ifndef VKS_SPARSE_BALANCED_H
#define VKS_SPARSE_BALANCED_H

#include "../../shaders/sparse/balanced.h"
#include "sparse/matrix.h"

/* Blocks of so many rows and entries, which are at most VKS_LARGEST_INDEX together. */
static inline uint32_t balanced_count(const struct csr *A)
{
    return (A->entries + A->n) / BALANCED_SHARE + 1;
}

/* The first row of each block, and n. */
static inline void balanced_blocks(struct rec *r, const struct csr *A, u32s first)
{
    uint32_t blocks = balanced_count(A);
    run(r, balanced_blocks, groups_each(blocks + 1), .row = A->row, .first = first, .n = A->n,
        .blocks = blocks);
    bill(r, 4 * (uint64_t)blocks);
}

/* y = A x but for long rows; within a solve only while its state is alive (c NULL: always) */
static inline void spmv_balanced(struct rec *r, control c, const struct csr *A, u32s first, reals x, reals y)
{
    uint32_t blocks = balanced_count(A);
    run(r, spmv_balanced, blocks, .c = c, .row = A->row, .col = A->col, .val = A->val, .x = x, .y = y,
        .first = first, .n = A->n, .lanes = A->lanes, .blocks = blocks);
    bill(r, csr_short_bytes(r, A) + 4 * (uint64_t)A->n + 4 * (uint64_t)blocks + vector_bytes(r, A->cols) +
                vector_bytes(r, A->n));
}

#endif
