/* SELL on the device and its verbs: slices of 32 rows, each as wide as its longest row, stored entry by entry
 * so that neighbouring threads read neighbouring addresses. Made from CSR, whose sums it keeps bit for bit.
 * Long rows are not stored.
 */
#ifndef VKS_SPARSE_SELL_H
#define VKS_SPARSE_SELL_H

#include "sparse/matrix.h"

#include <stdbool.h>

/* Rows of a slice; lanes that the kernels can keep in registers. */
enum { SELL_SLICE = 32, SELL_MOST_LANES = 8 };
/* The most that a compact column may lie above its base. */
#define SELL_MOST_ABOVE 0xFFFEu

struct sell {
    uint32_t n, cols;
    uint32_t lanes;  /* that sum a row, as in CSR */
    uint32_t padded; /* entries, with those that fill the slices */
    uint64_t fours;  /* units of four of them in each row, with what fills the last of a slice */
    u32s slice, col; /* slice: where each begins, one more than there are */
    u32s base;       /* of compact columns, or NULL: see shaders/sparse/sell.glsl */
    reals val;
    u32s bits; /* which rows are long, or NULL */
};

static inline uint32_t sell_slices(uint32_t n)
{
    return (uint32_t)(((uint64_t)n + SELL_SLICE - 1) / SELL_SLICE);
}

/* Units that compact columns have room for: slices do not share any, and where one begins is told by the
 * entries before. */
static inline uint64_t sell_units(uint32_t n, uint64_t padded)
{
    return (padded / SELL_SLICE + 3 * ((uint64_t)sell_slices(n) + 1)) / 4;
}

/* Bytes of the columns, and of the bases of compact ones. */
static inline uint64_t sell_column_bytes(uint32_t n, uint64_t padded, bool compact)
{
    return compact ? 8 * SELL_SLICE * sell_units(n, padded) : 4 * padded;
}

static inline uint64_t sell_base_bytes(uint32_t n, uint64_t padded)
{
    return 16 * sell_units(n, padded);
}

/* Bytes of one pass over the matrix: values, columns, offsets. */
static inline uint64_t sell_bytes(const struct rec *r, const struct sell *A)
{
    uint64_t columns = A->base ? (8 * SELL_SLICE + 16) * A->fours : 4 * (uint64_t)A->padded;
    return (uint64_t)A->padded * real_bytes(r->precision) + columns + 4 * ((uint64_t)sell_slices(A->n) + 1);
}

/* y = A x but for long rows; within a solve only while its state is alive (c NULL: always) */
static inline void spmv_sell(struct rec *r, control c, const struct sell *A, reals x, reals y)
{
    run(r, spmv_sell, groups_each(A->n), .c = c, .slice = A->slice, .col = A->col, .base = A->base,
        .val = A->val, .x = x, .y = y, .bits = A->bits, .n = A->n, .lanes = A->lanes);
    bill(r, sell_bytes(r, A) + vector_bytes(r, A->cols) + vector_bytes(r, A->n));
}

/* y = A x and the tile sums of x . y, while the solve is alive. Of long rows y is there. */
static inline void spmv_sell_dot(struct rec *r, control c, const struct sell *A, reals x, reals y, sums s)
{
    run(r, spmv_sell_dot, groups_each(A->n), .c = c, .slice = A->slice, .col = A->col, .base = A->base,
        .val = A->val, .x = x, .y = y, .s = s, .bits = A->bits, .n = A->n, .lanes = A->lanes);
    bill(r, sell_bytes(r, A) + 2 * vector_bytes(r, A->n));
}

/* The bases of B from the columns of A, and the most that a column lies above its base, if that is more than
 * what is there. */
static inline void sell_bases(struct rec *r, const struct csr *A, u32s slice, u32s base, u32s most)
{
    run(r, sell_bases, groups_each(A->n), .row = A->row, .col = A->col, .slice = slice, .base = base,
        .most = most, .n = A->n);
    bill(r, 4 * (uint64_t)A->entries + 4 * (uint64_t)A->n);
}

/* The columns and values of B, whose slices and bases are known, from A. */
static inline void csr_to_sell(struct rec *r, const struct csr *A, const struct sell *B)
{
    run(r, csr_to_sell, groups_each(A->n), .row = A->row, .from_col = A->col, .from_val = A->val,
        .slice = B->slice, .col = B->col, .base = B->base, .val = B->val, .n = A->n);
    bill(r, csr_bytes(r, A) + sell_bytes(r, B));
}

/* The columns and values of B, whose row offsets are known, from A, long rows aside. */
static inline void sell_to_csr(struct rec *r, const struct sell *A, const struct csr *B)
{
    run(r, sell_to_csr, groups_each(A->n), .slice = A->slice, .col = A->col, .base = A->base, .val = A->val,
        .row = B->row, .to_col = B->col, .to_val = B->val, .n = A->n);
    bill(r, csr_bytes(r, B) + sell_bytes(r, A));
}

/* The entries of each slice of A, padding included, into `sizes`; units of four in all added to *fours. */
static inline void sell_widths(struct rec *r, const struct csr *A, u32s sizes, u32s fours)
{
    run(r, sell_widths, groups_each(sell_slices(A->n)), .row = A->row, .sizes = sizes, .fours = fours,
        .n = A->n);
    bill(r, 4 * ((uint64_t)A->n + sell_slices(A->n)));
}

/* What a matrix in this format has stored. */
static inline struct sell *sell_of(const vks_matrix *A)
{
    return A->stored;
}

/* How many entries slices of A would store, padding included. */
vks_status sell_padded(const vks_matrix *A, uint64_t *padded);

#endif
