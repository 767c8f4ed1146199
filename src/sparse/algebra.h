/* Verbs that add, scale and drop entries, and internal functions that drop entries. */
#ifndef VKS_SPARSE_ALGEBRA_H
#define VKS_SPARSE_ALGEBRA_H

#include "primitive/pack_verbs.h"
#include "sparse/matrix.h"
#include "vksolve/algebra.h"

/* flag = 1 for each entry of B that A lacks, else 0 */
static inline void csr_add_flags(struct rec *r, const struct csr *A, const struct csr *B, u32s flag)
{
    run(r, csr_add_flags, groups_each(B->entries), .row = A->row, .col = A->col, .b_row = B->row,
        .b_col = B->col, .flag = flag, .n = A->n, .entries = B->entries);
    bill(r, 4 * (uint64_t)A->entries + 8 * (uint64_t)B->entries + 8 * ((uint64_t)A->n + 1));
}

/* C = alpha A + beta B; `factors` holds alpha and beta, `before` the exclusive sums of the flags. */
static inline void csr_add(struct rec *r, reals factors, const struct csr *A, const struct csr *B,
                           u32s before, const struct csr *C)
{
    run(r, csr_add_rows, groups_each((uint64_t)A->n + 1), .row = A->row, .b_row = B->row, .before = before,
        .to = C->row, .n = A->n);
    run(r, csr_add, groups_each(A->entries), .row = A->row, .col = A->col, .val = reals_of(r, A->val),
        .b_row = B->row, .b_col = B->col, .b_val = reals_of(r, B->val), .before = before, .factors = factors,
        .to_col = C->col, .to_val = reals_of(r, C->val), .n = A->n, .entries = A->entries);
    run(r, csr_add_rest, groups_each(B->entries), .row = A->row, .col = A->col, .b_row = B->row,
        .b_col = B->col, .b_val = reals_of(r, B->val), .before = before, .factors = factors, .to_col = C->col,
        .to_val = reals_of(r, C->val), .n = A->n, .entries = B->entries);
    bill(r, csr_bytes(r, A) + csr_bytes(r, B) + csr_bytes(r, C) + 8 * (uint64_t)B->entries);
}

/* A = diag(left) A diag(right); NULL means ones */
static inline void csr_scale(struct rec *r, const struct csr *A, reals left, reals right)
{
    run(r, csr_scale, groups_each(A->entries), .row = A->row, .col = A->col, .val = reals_of(r, A->val),
        .left = left, .right = right, .n = A->n, .entries = A->entries);
    bill(r, csr_bytes(r, A) + vector_bytes(r, A->entries) + (left ? vector_bytes(r, A->n) : 0) +
                (right ? vector_bytes(r, A->cols) : 0));
}

/* most = the largest magnitude of each row */
static inline void csr_row_maxima(struct rec *r, const struct csr *A, reals most)
{
    uint32_t words = real_bytes(r->precision) / 4;
    fill_words(r, (u32s)(uintptr_t)most, 0, 0, A->n, words);
    for (uint32_t part = 0; part < words; part++) {
        run(r, csr_row_maxima, groups_each(A->entries), .row = A->row, .val = reals_of(r, A->val),
            .most = most, .n = A->n, .entries = A->entries, .part = part);
        bill(r, vector_bytes(r, A->entries) + vector_bytes(r, A->n) + 4 * (uint64_t)A->n);
    }
}

/* flag = 1 for each entry kept with the threshold `below` times `most`, else 0 */
static inline void csr_drop_flags(struct rec *r, const struct csr *A, reals most, number below, u32s flag)
{
    run(r, csr_drop_flags, groups_each(A->entries), .row = A->row, .col = A->col, .val = reals_of(r, A->val),
        .most = most, .below_most = below, .flag = flag, .n = A->n, .entries = A->entries);
    bill(r, csr_bytes(r, A) + vector_bytes(r, A->n) + 4 * (uint64_t)A->entries);
}

/* vks_matrix_drop within another call; call drop_check first. */
vks_status drop_check(vks_context *context, double below);
vks_status matrix_drop(const vks_matrix *A, double below, vks_format format, vks_matrix **B);

#endif
