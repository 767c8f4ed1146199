/* SELL and ELL on the device and their verbs: slices of rows, each as wide as its longest row, stored entry
 * by entry so that neighbouring threads read neighbouring addresses. ELL is one slice of all rows. Made from
 * CSR, whose sums they reproduce bit for bit. Long rows are not stored, and their y is not written. */
#ifndef VKS_SPARSE_SELL_H
#define VKS_SPARSE_SELL_H

#include "shaders/sparse/sell_keys.h"
#include "sparse/matrix.h"

#include <stdbool.h>

/* Rows of a slice in spmv_sell; the most lanes that spmv_sell and spmv_slices keep in registers. */
enum { SELL_SLICE = 32, SELL_FEW_LANES = 8 };
/* The largest offset of a compact column from its base. */
#define SELL_MOST_ABOVE 0xFFFEu

/* Entries as numbers of their kinds instead of columns and values (sparse/coded.h); code NULL: not coded. */
struct coded {
    uint32_t kinds;
    bool wide;      /* a code has 16 bits, else 8 */
    uint32_t units; /* of four entries, in each slice; 0: slices differ */
    u32s code, apart;
    values value;
};

struct sell {
    uint32_t n, cols;
    uint32_t lanes;  /* lanes that sum a row, as in CSR */
    uint32_t height; /* rows of a slice, a power of two; in ELL n, rounded up to a multiple of 32 */
    uint32_t width;  /* ELL: entries of each row */
    uint32_t padded; /* entries, including padding */
    uint32_t widest; /* entries in a row of the widest slice */
    uint64_t fours;  /* units of four entries in each row, including padding of a slice's last unit */
    u32s slice, col; /* slice: slices + 1 offsets, NULL for ELL */
    u32s base;       /* of compact columns, or NULL: see shaders/sparse/sell.glsl */
    u32s order;      /* the rows in storage order; NULL: unpermuted */
    values val;
    u32s bits; /* marks long rows, or NULL */
    struct coded coded;
};

/* The number of slices of `height` for n rows. */
static inline uint32_t sell_slices(uint32_t n, uint32_t height)
{
    return (uint32_t)(((uint64_t)n + height - 1) / height);
}

/* Units allocated for compact columns: slices do not share units, and the entries before a unit determine its
 * position. */
static inline uint64_t sell_units(uint32_t n, uint32_t height, uint64_t padded)
{
    return (padded / height + 3 * ((uint64_t)sell_slices(n, height) + 1)) / 4;
}

/* Bytes of the columns and, if they are compact, of their bases. */
static inline uint64_t sell_column_bytes(const struct sell *A, bool compact)
{
    return compact ? 8 * A->height * sell_units(A->n, A->height, A->padded) : 4 * (uint64_t)A->padded;
}

static inline uint64_t sell_base_bytes(const struct sell *A)
{
    return 16 * sell_units(A->n, A->height, A->padded);
}

/* Bytes of one pass over columns and bases. */
static inline uint64_t sell_column_traffic(const struct sell *A, bool compact)
{
    return compact ? (8 * (uint64_t)A->height + 16) * A->fours : 4 * (uint64_t)A->padded;
}

static inline uint64_t sell_offset_bytes(const struct sell *A)
{
    return A->slice ? 4 * ((uint64_t)sell_slices(A->n, A->height) + 1) : 0;
}

/* Bytes of one pass over the matrix: values, columns, offsets, order. */
static inline uint64_t sell_bytes(const struct rec *r, const struct sell *A)
{
    return (uint64_t)A->padded * value_bytes(r->precision) + sell_column_traffic(A, A->base != NULL) +
           sell_offset_bytes(A) + (A->order ? 4 * (uint64_t)A->n : 0);
}

/* Whether spmv_sell can be used. */
static inline bool sell_is_plain(const struct sell *A)
{
    return A->slice && A->height == SELL_SLICE && !A->order && A->lanes <= SELL_FEW_LANES;
}

/* y = A x except in long rows. A is plain. */
static inline void spmv_sell(struct rec *r, const struct sell *A, struct vec x, struct vec y)
{
    run(r, spmv_sell, groups_each(A->n), .slice = A->slice, .col = A->col, .base = A->base, .val = A->val,
        .x = vec_reals(x), .y = vec_reals(y), .bits = A->bits, .n = A->n, .lanes = A->lanes,
        .compact = A->base != NULL, .longs = A->bits != NULL);
    bill(r, sell_bytes(r, A) + vec_bytes(x) + vec_bytes(y));
}

/* y = A x except in long rows, for any slices. spmv_slices takes up to 8 lanes, spmv_slices_wide more. */
static inline void spmv_slices(struct rec *r, const struct sell *A, struct vec x, struct vec y)
{
    run(r, spmv_slices, groups_each(A->n), .slice = A->slice, .col = A->col, .base = A->base, .val = A->val,
        .order = A->order, .x = vec_reals(x), .y = vec_reals(y), .bits = A->bits, .n = A->n,
        .height = A->height, .width = A->width, .lanes = A->lanes, .compact = A->base != NULL,
        .longs = A->bits != NULL);
    bill(r, sell_bytes(r, A) + vec_bytes(x) + vec_bytes(y));
}

static inline void spmv_slices_wide(struct rec *r, const struct sell *A, struct vec x, struct vec y)
{
    run(r, spmv_slices_wide, groups_each(A->n), .slice = A->slice, .col = A->col, .base = A->base,
        .val = A->val, .order = A->order, .x = vec_reals(x), .y = vec_reals(y), .bits = A->bits, .n = A->n,
        .height = A->height, .width = A->width, .lanes = A->lanes, .compact = A->base != NULL,
        .longs = A->bits != NULL);
    bill(r, sell_bytes(r, A) + vec_bytes(x) + vec_bytes(y));
}

/* y = A x and the tile sums of own . y; own is the part of x that belongs to the rows. y of long rows is
 * already computed. A is plain. */
static inline void spmv_sell_dot(struct rec *r, const struct sell *A, struct vec x, struct vec own,
                                 struct vec y, sums s)
{
    run(r, spmv_sell_dot, groups_each(A->n), .slice = A->slice, .col = A->col, .base = A->base, .val = A->val,
        .x = vec_reals(x), .own = vec_reals(own), .y = vec_reals(y), .s = s, .bits = A->bits, .n = A->n,
        .lanes = A->lanes, .compact = A->base != NULL, .longs = A->bits != NULL);
    bill(r, sell_bytes(r, A) + vec_bytes(own) + vec_bytes(y));
}

/* spmv_sell_dot for any slices of unpermuted rows and up to 8 lanes. */
static inline void spmv_slices_dot(struct rec *r, const struct sell *A, struct vec x, struct vec own,
                                   struct vec y, sums s)
{
    run(r, spmv_slices_dot, groups_each(A->n), .slice = A->slice, .col = A->col, .base = A->base,
        .val = A->val, .x = vec_reals(x), .own = vec_reals(own), .y = vec_reals(y), .s = s, .bits = A->bits,
        .n = A->n, .height = A->height, .width = A->width, .lanes = A->lanes, .compact = A->base != NULL,
        .longs = A->bits != NULL);
    bill(r, sell_bytes(r, A) + vec_bytes(own) + vec_bytes(y));
}

/* A x followed by an operation on its rows; no row is long. A is plain. */
static inline void spmv_sell_then(struct rec *r, const struct sell *A, const struct product_then *t)
{
    run(r, spmv_sell_then, groups_each(A->n), .slice = A->slice, .col = A->col, .base = A->base,
        .val = A->val, .n = A->n, .lanes = A->lanes, .compact = A->base != NULL, THEN_ARGS(t));
    bill(r, sell_bytes(r, A) + vector_bytes(r, A->cols) + then_bytes(t));
}

/* spmv_sell_then for any A. */
static inline void spmv_slices_then(struct rec *r, const struct sell *A, const struct product_then *t)
{
    run(r, spmv_slices_then, groups_each(A->n), .slice = A->slice, .col = A->col, .base = A->base,
        .val = A->val, .order = A->order, .n = A->n, .height = A->height, .width = A->width,
        .lanes = A->lanes, .compact = A->base != NULL, THEN_ARGS(t));
    bill(r, sell_bytes(r, A) + vector_bytes(r, A->cols) + then_bytes(t));
}

/* Writes keys to sort the rows of A within windows of sigma, longest first, and the unsorted rows. */
static inline void sell_keys(struct rec *r, const struct csr *A, u32s key, u32s order, uint32_t sigma)
{
    run(r, sell_keys, groups_each(A->n), .row = A->row, .key = key, .order = order, .n = A->n,
        .sigma = sigma);
    bill(r, 12 * (uint64_t)A->n);
}

/* Fills the bases of B, whose slices and order are known, from the columns of A. Raises *most to the largest
 * offset of a column from its base. B->base and `most` may be NULL. */
static inline void sell_bases(struct rec *r, const struct csr *A, const struct sell *B, u32s most)
{
    run(r, sell_bases, groups_each(A->n), .row = A->row, .col = A->col, .slice = B->slice, .order = B->order,
        .base = B->base, .most = most, .n = A->n, .height = B->height);
    bill(r, 4 * (uint64_t)A->entries + 4 * (uint64_t)A->n + (B->order ? 4 * (uint64_t)A->n : 0));
}

/* Fills the columns and values of B, whose slices, order and bases are known, from A. */
static inline void csr_to_sell(struct rec *r, const struct csr *A, const struct sell *B)
{
    run(r, csr_to_sell, groups_each(A->n), .row = A->row, .from_col = A->col, .from_val = reals_of(r, A->val),
        .slice = B->slice, .col = B->col, .base = B->base, .val = reals_of(r, B->val), .order = B->order,
        .n = A->n, .height = B->height, .width = B->width);
    bill(r, csr_bytes(r, A) + sell_bytes(r, B));
}

/* Fills the columns and values of B, whose row offsets are known, from A. */
static inline void sell_to_csr(struct rec *r, const struct sell *A, const struct csr *B)
{
    run(r, sell_to_csr, groups_each(A->n), .slice = A->slice, .col = A->col, .base = A->base,
        .val = reals_of(r, A->val), .order = A->order, .row = B->row, .to_col = B->col,
        .to_val = reals_of(r, B->val), .n = A->n, .height = A->height, .width = A->width);
    bill(r, csr_bytes(r, B) + sell_bytes(r, A));
}

/* The data stored by a matrix in either format. */
static inline struct sell *sell_of(const vks_matrix *A)
{
    return A->stored;
}

#endif
