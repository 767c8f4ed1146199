/* Verbs for two other CSR products. */
#ifndef VKS_SPARSE_CSR_VARIANTS_H
#define VKS_SPARSE_CSR_VARIANTS_H

#include "shaders/sparse/csr_cached.h"
#include "sparse/matrix.h"
#include "sparse/scatter.h"

static inline uint32_t csr_tiles(uint32_t n)
{
    return n / CACHED_ROWS + (n % CACHED_ROWS != 0);
}

/* Writes the range of x that each tile of 256 rows reads: two words per tile. */
static inline void csr_windows(struct rec *r, const struct csr *A, u32s window)
{
    run(r, csr_windows, groups_each(A->n), .row = A->row, .col = A->col, .window = window, .n = A->n);
    bill(r, 12 * (uint64_t)A->n + 8 * (uint64_t)csr_tiles(A->n));
}

/* y = A x except in long rows */
static inline void spmv_csr_cached(struct rec *r, const struct csr *A, u32s window, struct vec x,
                                   struct vec y)
{
    run(r, spmv_csr_cached, groups_each(A->n), .row = A->row, .col = A->col, .val = A->val, .window = window,
        .x = vec_reals(x), .y = vec_reals(y), .n = A->n, .lanes = A->lanes);
    bill(r, csr_short_bytes(r, A) + vec_bytes(x) + vec_bytes(y) + 8 * (uint64_t)csr_tiles(A->n));
}

/* y = A x except in long rows, in a different order: first all products, then pairwise sums. */
static inline void spmv_csr_two_pass(struct rec *r, const struct csr *A, reals products, struct vec x,
                                     struct vec y)
{
    run(r, csr_products, groups_quads(A->entries), .col = A->col, .val = A->val, .x = vec_reals(x),
        .product = products, .entries = A->entries);
    bill(r, (uint64_t)A->entries * (4 + value_bytes(r->precision) + real_bytes(r->precision)) + vec_bytes(x));
    run(r, rows_pairwise, ((uint64_t)A->n + 7) / 8, .row = A->row, .term = products, .y = vec_reals(y),
        .n = A->n);
    bill(r, vector_bytes(r, short_entries(A)) + 4 * ((uint64_t)A->n + 1) + vec_bytes(y));
}

#endif
