/* COO on the device and its verbs: entries with a row, a column and a value each, sorted by row and column.
 */
#ifndef VKS_SPARSE_COO_H
#define VKS_SPARSE_COO_H

#include "shaders/sparse/coo.h"
#include "sparse/scatter.h"

struct coo {
    uint32_t n, cols, entries;
    uint32_t lanes; /* lanes that sum a row, as in CSR */
    bool gaps;      /* some rows have no entries */
    u32s bits;      /* marks long rows, whose entries are not stored here; NULL: none */
    u32s row, col;
    values val;
};

/* Bytes of one pass over the matrix. */
static inline uint64_t coo_bytes(const struct rec *r, const struct coo *A)
{
    return (uint64_t)A->entries * (value_bytes(r->precision) + 8);
}

/* y = A x except in long rows */
static inline void spmv_coo(struct rec *r, const struct coo *A, struct vec x, struct vec y)
{
    if (A->gaps)
        clear_reals(r, A->bits, y);
    run(r, spmv_coo, ((uint64_t)A->entries + COO_SHARE - 1) / COO_SHARE, .row = A->row, .col = A->col,
        .val = A->val, .x = vec_reals(x), .y = vec_reals(y), .entries = A->entries, .lanes = A->lanes);
    bill(r, coo_bytes(r, A) + vec_bytes(x) + vec_bytes(y));
}

/* y = A x except in long rows; the order of the sums is not fixed. */
static inline void spmv_coo_atomic(struct rec *r, const struct coo *A, struct vec x, struct vec y)
{
    uint64_t groups = groups_quads(A->entries);
    clear_reals(r, A->bits, y);
    if (r->device->info.atomic_add[real_precision(r->precision)])
        run(r, spmv_coo_atomic, groups, .row = A->row, .col = A->col, .val = A->val, .x = vec_reals(x),
            .y = vec_reals(y), .entries = A->entries);
    else
        run(r, spmv_coo_swap, groups, .row = A->row, .col = A->col, .val = A->val, .x = vec_reals(x),
            .y = vec_reals(y), .entries = A->entries);
    bill(r, coo_bytes(r, A) + vec_bytes(x) + 2 * vec_bytes(y));
}

/* Writes, for each entry of A outside long rows, in order, its row, its place in CSR, its column and its
 * value. NULL outputs are skipped. */
static inline void csr_to_coo(struct rec *r, const struct csr *A, u32s row, u32s place, u32s col, values val)
{
    const struct long_rows *w = A->longs;
    uint32_t entries = short_entries(A);
    run(r, csr_to_coo, groups_each(entries), .list = w ? words_of(&w->list) : NULL,
        .start = w ? words_of(&w->start) : NULL, .row = A->row, .col = A->col, .val = reals_of(r, A->val),
        .to_row = row, .to_place = place, .to_col = col, .to_val = reals_of(r, val), .n = A->n,
        .entries = entries, .pieces = w ? w->pieces : 0);
    bill(r, (uint64_t)entries * ((row ? 4 : 0) + (place ? 4 : 0) + (col ? 8 : 0)) +
                (val ? 2 * vector_bytes(r, entries) : 0));
}

/* Fills the columns and values of B, except long rows, from A. */
static inline void coo_to_csr(struct rec *r, const struct coo *A, const struct csr *B)
{
    const struct long_rows *w = B->longs;
    run(r, csr_to_coo, groups_each(A->entries), .list = w ? words_of(&w->list) : NULL,
        .start = w ? words_of(&w->start) : NULL, .col = B->col, .val = reals_of(r, B->val), .to_col = A->col,
        .to_val = reals_of(r, A->val), .n = A->n, .entries = A->entries, .pieces = w ? w->pieces : 0,
        .back = 1);
    bill(r, 8 * (uint64_t)A->entries + 2 * vector_bytes(r, A->entries));
}

/* format_coo.c: the operations shared by both forms of COO. */
vks_status coo_create(vks_matrix *A);
void coo_refresh(struct rec *r, const vks_matrix *A);
vks_status coo_values_room(vks_matrix *A);
vks_status coo_back(const vks_matrix *A);
uint64_t coo_memory(const vks_matrix *A);
void coo_release(vks_matrix *A);

/* The data stored by a matrix in this format. */
static inline const struct coo *coo_of(const vks_matrix *A)
{
    return A->stored;
}

#endif
