/* CSC on the device and its verbs. It stores the transpose in CSR, without long rows of A, and the position
 * of each entry in A's CSR. */
#ifndef VKS_SPARSE_CSC_H
#define VKS_SPARSE_CSC_H

#include "sparse/scatter.h"

struct csc {
    uint32_t n, cols, entries;
    uint32_t lanes; /* lanes that sum a row, as in CSR */
    u32s bits;      /* marks long rows, whose entries are not stored here; NULL: none */
    u32s start;     /* offset of each column, and the end */
    u32s row, place;
    values val;
    reals product; /* room for the product of each entry, in CSR order; NULL for the atomic form */
};

/* y = A x except in long rows; `row` has A's row offsets. Columns write products to their places in CSR
 * order, and rows sum them as in CSR. */
static inline void spmv_csc(struct rec *r, const struct csc *A, u32s row, struct vec x, struct vec y)
{
    run(r, csc_products, groups_quads(A->entries), .start = A->start, .place = A->place, .val = A->val,
        .x = vec_reals(x), .product = A->product, .cols = A->cols, .entries = A->entries);
    bill(r, (uint64_t)A->entries * (4 + value_bytes(r->precision) + real_bytes(r->precision)) +
                4 * ((uint64_t)A->cols + 1) + vec_bytes(x));
    run(r, rows_sum, groups_rows(A->n, A->lanes), .row = row, .term = A->product, .y = vec_reals(y),
        .n = A->n, .lanes = A->lanes);
    bill(r, vector_bytes(r, A->entries) + 4 * ((uint64_t)A->n + 1) + vec_bytes(y));
}

/* y = A x except in long rows; the order of the sums is not fixed. */
static inline void spmv_csc_atomic(struct rec *r, const struct csc *A, struct vec x, struct vec y)
{
    uint64_t groups = groups_quads(A->entries);
    clear_reals(r, A->bits, y);
    if (r->device->info.atomic_add[real_precision(r->precision)])
        run(r, spmv_csc_atomic, groups, .start = A->start, .row = A->row, .val = A->val, .x = vec_reals(x),
            .y = vec_reals(y), .cols = A->cols, .entries = A->entries);
    else
        run(r, spmv_csc_swap, groups, .start = A->start, .row = A->row, .val = A->val, .x = vec_reals(x),
            .y = vec_reals(y), .cols = A->cols, .entries = A->entries);
    bill(r, (uint64_t)A->entries * (4 + value_bytes(r->precision)) + 4 * ((uint64_t)A->cols + 1) +
                vec_bytes(x) + 2 * vec_bytes(y));
}

/* Fills the columns and values of B, except long rows, from A. */
static inline void csc_to_csr(struct rec *r, const struct csc *A, const struct csr *B)
{
    run(r, csc_to_csr, groups_quads(A->entries), .start = A->start, .place = A->place,
        .val = reals_of(r, A->val), .to_col = B->col, .to_val = reals_of(r, B->val), .cols = A->cols,
        .entries = A->entries);
    bill(r, (uint64_t)A->entries * (8 + 2 * real_bytes(r->precision)) + 4 * ((uint64_t)A->cols + 1));
}

/* format_csc.c: the operations shared by both forms of CSC. */
vks_status csc_create(vks_matrix *A);
void csc_refresh(struct rec *r, const vks_matrix *A);
vks_status csc_values_room(vks_matrix *A);
vks_status csc_back(const vks_matrix *A);
uint64_t csc_memory(const vks_matrix *A);
void csc_release(vks_matrix *A);

/* The data stored by a matrix in this format. */
static inline struct csc *csc_of(const vks_matrix *A)
{
    return A->stored;
}

#endif
