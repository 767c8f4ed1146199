/* CSR on the device and its verbs. */
#ifndef VKS_SPARSE_CSR_H
#define VKS_SPARSE_CSR_H

#include "device/record.h"
#include "entries/host_csr.h"
#include "sparse/long_rows.h"
#include "sparse/then.h"
#include "vector/verbs.h"
#include "vksolve/matrix.h"

#include <assert.h>

struct csr {
    uint32_t n, cols, entries; /* n rows */
    uint32_t lanes;            /* lanes that sum a row: as requested, or csr_lanes */
    u32s row, col;
    values val;
    const struct long_rows *longs; /* NULL: none; see sparse/long.h */
};

/* Values for kernels that take reals. Such a kernel either only moves them and is recorded in the stored
 * precision, or computes with values of full width. */
static inline reals reals_of(const struct rec *r, values v)
{
    assert(r->precision != PRECISION_MIXED);
    (void)r;
    return (reals)v;
}

/* All values as a vector. */
static inline struct vec csr_values(const struct rec *r, const struct csr *A)
{
    return vec_at(reals_of(r, A->val), A->entries, r->precision);
}

/* The default number of lanes that sum a row: 1, 2 ... 32, from the mean row length. It is part of the
 * canonical order of sums and never depends on the device. */
static inline uint32_t csr_lanes(uint32_t rows, uint32_t entries)
{
    return vks_lanes_of(rows, entries);
}

/* Entries outside long rows. */
static inline uint32_t short_entries(const struct csr *A)
{
    return A->entries - (A->longs ? A->longs->entries : 0);
}

/* Bytes of one pass over the matrix: values, columns, offsets. */
static inline uint64_t csr_bytes(const struct rec *r, const struct csr *A)
{
    return (uint64_t)A->entries * (value_bytes(r->precision) + 4) + 4 * ((uint64_t)A->n + 1);
}

/* Bytes of one pass without the entries of long rows. */
static inline uint64_t csr_short_bytes(const struct rec *r, const struct csr *A)
{
    return csr_bytes(r, A) - (uint64_t)(A->entries - short_entries(A)) * (value_bytes(r->precision) + 4);
}

/* Workgroups for n rows of `lanes` lanes. */
static inline uint64_t groups_rows(uint32_t n, uint32_t lanes)
{
    return ((uint64_t)n * lanes + 255) / 256;
}

/* The number of lanes that cover a row of mean length at once: 8, 16 or 32. */
static inline uint32_t csr_whole_lanes(const struct csr *A)
{
    uint32_t lanes = 8;
    while (lanes < 32 && (uint64_t)lanes * A->n < A->entries)
        lanes *= 2;
    return lanes;
}

/* Copies the row offsets and columns of A to B. */
static inline void csr_copy_structure(struct rec *r, const struct csr *A, const struct csr *B)
{
    copy_words(r, A->row, B->row, A->n + 1);
    copy_words(r, A->col, B->col, A->entries);
}

/* y = A x except in long rows */
static inline void spmv_csr(struct rec *r, const struct csr *A, struct vec x, struct vec y)
{
    run(r, spmv_csr, groups_rows(A->n, A->lanes), .row = A->row, .col = A->col, .val = A->val,
        .x = vec_reals(x), .y = vec_reals(y), .n = A->n, .lanes = A->lanes);
    bill(r, csr_short_bytes(r, A) + vec_bytes(x) + vec_bytes(y));
}

/* y = A x and the tile sums of own . y; own is the part of x that belongs to the rows, which have one lane. y
 * of long rows is already computed. */
static inline void spmv_csr_dot(struct rec *r, const struct csr *A, struct vec x, struct vec own,
                                struct vec y, sums s)
{
    run(r, spmv_csr_dot, groups_each(A->n), .row = A->row, .col = A->col, .val = A->val, .x = vec_reals(x),
        .own = vec_reals(own), .y = vec_reals(y), .s = s, .n = A->n);
    bill(r, csr_short_bytes(r, A) + vec_bytes(own) + vec_bytes(y));
}

/* A x followed by an operation on its rows; no row is long */
static inline void spmv_csr_then(struct rec *r, const struct csr *A, const struct product_then *t)
{
    assert(!A->longs);
    run(r, spmv_csr_then, groups_rows(A->n, A->lanes), .row = A->row, .col = A->col, .val = A->val, .n = A->n,
        .lanes = A->lanes, THEN_ARGS(t));
    bill(r, csr_bytes(r, A) + vector_bytes(r, A->cols) + then_bytes(t));
}

/* d = 1 / diagonal; flags as in csr_diagonal.comp */
static inline void csr_diagonal(struct rec *r, const struct csr *A, struct vec d, u32s flags)
{
    run(r, csr_diagonal, groups_each(A->n), .row = A->row, .col = A->col, .val = A->val, .d = vec_reals(d),
        .flags = flags, .n = A->n);
    bill(r, csr_bytes(r, A) + vec_bytes(d));
}

/* d = 1 / the sum of the magnitudes of each row; flags as in csr_row_sums.comp */
static inline void csr_row_sums(struct rec *r, const struct csr *A, struct vec d, u32s flags)
{
    uint32_t lanes = csr_whole_lanes(A);
    run(r, csr_row_sums, groups_rows(A->n, lanes), .row = A->row, .val = A->val, .d = vec_reals(d),
        .flags = flags, .n = A->n, .lanes = lanes);
    bill(r, csr_bytes(r, A) + vec_bytes(d));
}

/* ratio[i] = the off-diagonal entries of row i relative to its diagonal entry */
static inline void csr_dominance(struct rec *r, const struct csr *A, struct vec ratio)
{
    uint32_t lanes = csr_whole_lanes(A);
    run(r, csr_dominance, groups_rows(A->n, lanes), .row = A->row, .col = A->col, .val = A->val,
        .ratio = vec_reals(ratio), .n = A->n, .lanes = lanes);
    bill(r, csr_bytes(r, A) + vec_bytes(ratio));
}

/* Computes for each row the sum of positive off-diagonal entries, the sum of all off-diagonal magnitudes, and
 * whether the diagonal entry dominates them, 1 or 0. */
static inline void csr_signs(struct rec *r, const struct csr *A, struct vec positive, struct vec other,
                             struct vec dominated)
{
    run(r, csr_signs, groups_rows(A->n, A->lanes), .row = A->row, .col = A->col, .val = A->val,
        .positive = vec_reals(positive), .other = vec_reals(other), .dominated = vec_reals(dominated),
        .n = A->n, .lanes = A->lanes);
    bill(r, csr_bytes(r, A) + vec_bytes(positive) + vec_bytes(other) + vec_bytes(dominated));
}

/* The words of shaders/sparse/symmetry.h */
static inline void csr_symmetry(struct rec *r, const struct csr *A, u32s found)
{
    run(r, csr_symmetry, groups_each(A->entries > A->n ? A->entries : A->n), .row = A->row, .col = A->col,
        .val = A->val, .found = found, .n = A->n, .entries = A->entries);
    bill(r, 2 * csr_bytes(r, A));
}

/* y = |A| |x| + |b| in double precision; plus |x| if `fixpoint` */
static inline void csr_magnitudes(struct rec *r, const struct csr *A, struct vec x, struct vec b,
                                  struct vec y, bool fixpoint)
{
    uint32_t lanes = csr_whole_lanes(A);
    run(r, csr_magnitudes, groups_rows(A->n, lanes), .row = A->row, .col = A->col, .val = A->val,
        .x = vec_reals(x), .b = vec_reals(b), .y = vec_doubles(y), .n = A->n, .lanes = lanes,
        .fixpoint = fixpoint);
    bill(r, csr_bytes(r, A) + vec_bytes(x) + vec_bytes(b) + vec_bytes(y));
}

/* magnitude[i] = the logarithm of the largest magnitude of row i; extent as in row_magnitudes.h, initially
 * 0 */
static inline void row_magnitudes(struct rec *r, const struct csr *A, u32s magnitude, u32s extent)
{
    uint32_t lanes = csr_whole_lanes(A);
    run(r, row_magnitudes, groups_rows(A->n, lanes), .row = A->row, .val = reals_of(r, A->val),
        .magnitude = magnitude, .extent = extent, .n = A->n, .lanes = lanes);
    bill(r, csr_bytes(r, A) - 4 * (uint64_t)A->entries + 4 * (uint64_t)A->n);
}

/* weight[i] = 2^-e, e = magnitude[i] rounded to an integer from -most to most; 1 if a row has no magnitude */
static inline void row_weights(struct rec *r, u32s magnitude, struct vec weight, uint32_t most)
{
    run(r, row_weights, groups_each(weight.n), .magnitude = magnitude, .weight = vec_doubles(weight),
        .most = most, .n = weight.n);
    bill(r, 4 * (uint64_t)weight.n + vec_bytes(weight));
}

/* row_of[k] = the row of entry k */
static inline void entry_rows(struct rec *r, const struct csr *A, u32s row_of)
{
    run(r, entry_rows, groups_rows(A->entries, 1), .row = A->row, .row_of = row_of, .n = A->n,
        .entries = A->entries);
    bill(r, 4 * (uint64_t)A->entries);
}

/* e = b - A x in double precision, or b + A x - x if `fixpoint`; for long rows e initially holds A x */
static inline void csr_residual(struct rec *r, const struct csr *A, struct vec x, struct vec b, struct vec e,
                                bool fixpoint)
{
    run(r, csr_residual, groups_rows(A->n, A->lanes), .row = A->row, .col = A->col, .val = A->val,
        .x = vec_reals(x), .b = vec_reals(b), .r = vec_doubles(e), .n = A->n, .lanes = A->lanes,
        .fixpoint = fixpoint);
    bill(r, csr_short_bytes(r, A) + vec_bytes(x) + vec_bytes(b) + vec_bytes(e));
}

/* e as in csr_residual, in pairs of doubles rounded at the end; long rows included */
static inline void csr_residual_exact(struct rec *r, const struct csr *A, struct vec x, struct vec b,
                                      struct vec e, bool fixpoint)
{
    run(r, csr_residual_exact, groups_rows(A->n, A->lanes), .row = A->row, .col = A->col, .val = A->val,
        .x = vec_reals(x), .b = vec_reals(b), .r = vec_doubles(e), .n = A->n, .lanes = A->lanes,
        .fixpoint = fixpoint);
    bill(r, csr_bytes(r, A) + vec_bytes(x) + vec_bytes(b) + vec_bytes(e));
}

#endif
