/* CSC on the device and its verbs: the transpose in CSR, long rows of A aside, and where each of its entries
 * stands in that of A. */
#ifndef VKS_SPARSE_CSC_H
#define VKS_SPARSE_CSC_H

#include "sparse/scatter.h"

struct csc {
    uint32_t n, cols, entries;
    uint32_t lanes; /* that sum a row, as in CSR */
    u32s bits;      /* of long rows, whose entries are not here; NULL where there are none */
    u32s start;     /* of each column, and the end */
    u32s row, place;
    values val;
    reals product; /* room for one of each entry in the order of CSR; NULL for the atomic form */
};

/* y = A x but for long rows, where the offsets of its rows are `row`. Columns leave products at the places of
 * CSR, from where rows are summed as there.
 */
static inline void spmv_csc(struct rec *r, const struct csc *A, u32s row, reals x, reals y)
{
    run(r, csc_products, groups_quads(A->entries), .start = A->start, .place = A->place, .val = A->val,
        .x = x, .product = A->product, .cols = A->cols, .entries = A->entries);
    bill(r, (uint64_t)A->entries * (4 + value_bytes(r->precision) + real_bytes(r->precision)) +
                4 * ((uint64_t)A->cols + 1) + vector_bytes(r, A->cols));
    run(r, rows_sum, groups_rows(A->n, A->lanes), .row = row, .term = A->product, .y = y, .n = A->n,
        .lanes = A->lanes);
    bill(r, vector_bytes(r, A->entries) + 4 * ((uint64_t)A->n + 1) + vector_bytes(r, A->n));
}

/* The same, but for the order of the sums, which is nobody's. */
static inline void spmv_csc_atomic(struct rec *r, const struct csc *A, reals x, reals y)
{
    uint64_t groups = groups_quads(A->entries);
    clear_reals(r, A->bits, y, A->n);
    if (r->device->info.atomic_add[real_precision(r->precision)])
        run(r, spmv_csc_atomic, groups, .start = A->start, .row = A->row, .val = A->val, .x = x, .y = y,
            .cols = A->cols, .entries = A->entries);
    else
        run(r, spmv_csc_swap, groups, .start = A->start, .row = A->row, .val = A->val, .x = x, .y = y,
            .cols = A->cols, .entries = A->entries);
    bill(r, (uint64_t)A->entries * (4 + value_bytes(r->precision)) + 4 * ((uint64_t)A->cols + 1) +
                vector_bytes(r, A->cols) + 2 * vector_bytes(r, A->n));
}

/* The columns and values of B, long rows aside, from A. */
static inline void csc_to_csr(struct rec *r, const struct csc *A, const struct csr *B)
{
    run(r, csc_to_csr, groups_quads(A->entries), .start = A->start, .place = A->place,
        .val = reals_of(r, A->val), .to_col = B->col, .to_val = reals_of(r, B->val), .cols = A->cols,
        .entries = A->entries);
    bill(r, (uint64_t)A->entries * (8 + 2 * real_bytes(r->precision)) + 4 * ((uint64_t)A->cols + 1));
}

/* format_csc.c: the operations that both forms of CSC share. */
vks_status csc_create(vks_matrix *A);
void csc_refresh(struct rec *r, const vks_matrix *A);
vks_status csc_values_room(vks_matrix *A);
vks_status csc_back(const vks_matrix *A);
uint64_t csc_memory(const vks_matrix *A);
void csc_release(vks_matrix *A);

/* What a matrix in this format has stored. */
static inline struct csc *csc_of(const vks_matrix *A)
{
    return A->stored;
}

#endif
