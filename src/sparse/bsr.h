/* BSR on the device and its verbs. It stores the first column of each block of size x size, 2 to 8, and the
 * values in slices of 32 rows, entry by entry, so that neighbouring threads read neighbouring addresses.
 * Partial blocks have masks. Missing entries and long rows are not stored. Made from CSR, whose sums it
 * reproduces bit for bit. */
#ifndef VKS_SPARSE_BSR_H
#define VKS_SPARSE_BSR_H

#include "sparse/matrix.h"

/* SLICE: rows of a slice of values, and block rows of a slice of blocks. */
enum { BSR_SLICE = 32, BSR_LEAST = 2, BSR_MOST = 8 };

struct bsr {
    uint32_t n, cols;
    uint32_t entries; /* except entries of long rows */
    uint32_t size;    /* of a block */
    uint32_t lanes;   /* lanes that sum a row, as in CSR */
    uint32_t blocks;  /* without padding */
    uint32_t stored;  /* entries, including padding */
    u32s row;         /* from CSR: gives the lengths of rows */
    u32s slice;       /* where the values of each slice begin; slices + 1 of them, and at least two */
    u32s block;       /* where the blocks of each slice begin, likewise */
    u32s first;       /* the first column of each block */
    u32s mask; /* a word for each block, two if blocks have more than four rows; NULL: all blocks are full */
    values val;
};

static inline uint32_t bsr_block_rows(uint32_t n, uint32_t size)
{
    return n / size + (n % size != 0);
}

static inline uint32_t bsr_slices(uint32_t n)
{
    return n / BSR_SLICE + (n % BSR_SLICE != 0);
}

static inline uint32_t bsr_block_slices(uint32_t n, uint32_t size)
{
    uint32_t rows = BSR_SLICE * size;
    return n / rows + (n % rows != 0);
}

/* Words stored for a block in addition to its entries. */
static inline uint32_t bsr_block_words(uint32_t size, bool partial)
{
    return !partial ? 1 : size <= 4 ? 2 : 3;
}

/* Bytes of one pass over the matrix: values, blocks, offsets. */
static inline uint64_t bsr_bytes(const struct rec *r, const struct bsr *A)
{
    return (uint64_t)A->entries * value_bytes(r->precision) +
           4 * (uint64_t)bsr_block_words(A->size, A->mask != NULL) * A->blocks + 4 * ((uint64_t)A->n + 1) +
           4 * ((uint64_t)bsr_slices(A->n) + bsr_block_slices(A->n, A->size) + 2);
}

/* Invocations that share a row: each computes four of its lanes. */
static inline uint32_t bsr_parts(uint32_t lanes)
{
    return lanes > 4 ? lanes / 4 : 1;
}

/* y = A x except in long rows */
static inline void spmv_bsr(struct rec *r, const struct bsr *A, struct vec x, struct vec y)
{
    run(r, spmv_bsr, groups_rows(A->n, bsr_parts(A->lanes)), .row = A->row, .slice = A->slice,
        .block = A->block, .first = A->first, .mask = A->mask, .val = A->val, .x = vec_reals(x),
        .y = vec_reals(y), .n = A->n, .size = A->size, .lanes = A->lanes, .full = A->mask == NULL);
    bill(r, bsr_bytes(r, A) + vec_bytes(x) + vec_bytes(y));
}

/* y = A x and the tile sums of own . y; own is the part of x that belongs to the rows. y of long rows is
 * already computed. */
static inline void spmv_bsr_dot(struct rec *r, const struct bsr *A, struct vec x, struct vec own,
                                struct vec y, sums s)
{
    run(r, spmv_bsr_dot, groups_each(A->n), .row = A->row, .slice = A->slice, .block = A->block,
        .first = A->first, .mask = A->mask, .val = A->val, .x = vec_reals(x), .own = vec_reals(own),
        .y = vec_reals(y), .s = s, .n = A->n, .size = A->size, .lanes = A->lanes, .full = A->mask == NULL);
    bill(r, bsr_bytes(r, A) + vec_bytes(own) + vec_bytes(y));
}

/* A x followed by an operation on its rows; no row is long. */
static inline void spmv_bsr_then(struct rec *r, const struct bsr *A, const struct product_then *t)
{
    run(r, spmv_bsr_then, groups_rows(A->n, bsr_parts(A->lanes)), .row = A->row, .slice = A->slice,
        .block = A->block, .first = A->first, .mask = A->mask, .val = A->val, .n = A->n, .size = A->size,
        .lanes = A->lanes, .full = A->mask == NULL, THEN_ARGS(t));
    bill(r, bsr_bytes(r, A) + vector_bytes(r, A->cols) + then_bytes(t));
}

/* totals[0] += the blocks of this size; totals[1] = 1 if some are partial. Adds the stored entries of each
 * slice, including padding, to `slice` and its blocks to `block`; both are initially 0. */
static inline void bsr_measure(struct rec *r, const struct csr *A, uint32_t size, u32s slice, u32s block,
                               u32s totals)
{
    run(r, bsr_measure, groups_each(bsr_block_rows(A->n, size)), .row = A->row, .col = A->col, .slice = slice,
        .block = block, .totals = totals, .n = A->n, .cols = A->cols, .size = size);
    bill(r,
         4 * ((uint64_t)A->entries + A->n) + 4 * ((uint64_t)bsr_slices(A->n) + bsr_block_slices(A->n, size)));
}

/* Fills the blocks of B, whose slices are known, from A. */
static inline void bsr_blocks(struct rec *r, const struct csr *A, const struct bsr *B)
{
    run(r, bsr_blocks, BSR_SLICE * (uint64_t)bsr_block_slices(B->n, B->size) / 256 + 1, .row = A->row,
        .col = A->col, .block = B->block, .first = B->first, .mask = B->mask, .n = A->n, .cols = A->cols,
        .size = B->size);
    bill(r, 4 * ((uint64_t)A->entries + A->n) +
                4 * (uint64_t)bsr_block_words(B->size, B->mask != NULL) * B->blocks);
}

/* Fills the values of B, whose slices are known, from A. */
static inline void csr_to_bsr(struct rec *r, const struct csr *A, const struct bsr *B)
{
    run(r, csr_to_bsr, groups_each(A->n), .row = A->row, .from_val = reals_of(r, A->val), .slice = B->slice,
        .val = reals_of(r, B->val), .n = A->n);
    bill(r, 4 * (uint64_t)A->n + vector_bytes(r, A->entries) + vector_bytes(r, B->stored));
}

/* Fills the columns and values of B, whose row offsets are known, from A, except long rows. */
static inline void bsr_to_csr(struct rec *r, const struct bsr *A, const struct csr *B)
{
    run(r, bsr_to_csr, groups_each(A->n), .row = B->row, .slice = A->slice, .block = A->block,
        .first = A->first, .mask = A->mask, .val = reals_of(r, A->val), .to_col = B->col,
        .to_val = reals_of(r, B->val), .n = A->n, .size = A->size);
    bill(r, csr_bytes(r, B) + bsr_bytes(r, A));
}

/* The data stored by a matrix in this format. */
static inline struct bsr *bsr_of(const vks_matrix *A)
{
    return A->stored;
}

#endif
