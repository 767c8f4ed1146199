/* Scaling by powers of two: Ruiz's iteration, and the kernels that make a scaled matrix. D. Ruiz, "A scaling
 * algorithm to equilibrate both rows and columns norms in matrices" (2001), for largest magnitudes.
 *
 * Logarithms, their maxima and scales are integers (shaders/sparse/exponents.h), so nothing overflows and the
 * order of maxima does not matter. A symmetric A has the same scales for rows and for columns. */
#ifndef VKS_SPARSE_RUIZ_H
#define VKS_SPARSE_RUIZ_H

#include "sparse/csr.h"

enum { RUIZ_STEPS = 10 };

/* left and right = the scales of rows and columns, in units of logarithms, that bring the largest magnitude
 * of each row and column near 1; `row_most` and `col_most` are workspace. */
static inline void ruiz_scales(struct rec *r, const struct csr *A, u32s left, u32s right, u32s row_most,
                               u32s col_most)
{
    fill_words(r, left, 0, 0, A->n, 1);
    fill_words(r, right, 0, 0, A->cols, 1);
    fill_words(r, row_most, 0, 0, A->n, 1);
    fill_words(r, col_most, 0, 0, A->cols, 1);
    for (int step = 0; step < RUIZ_STEPS; step++) {
        run(r, ruiz_maxima, groups_each(A->entries), .row = A->row, .col = A->col, .val = reals_of(r, A->val),
            .left = left, .right = right, .row_most = row_most, .col_most = col_most, .n = A->n,
            .entries = A->entries);
        bill(r, csr_bytes(r, A) + 8 * ((uint64_t)A->n + A->cols));
        run(r, ruiz_step, groups_each(A->n), .most = row_most, .scale = left, .n = A->n);
        run(r, ruiz_step, groups_each(A->cols), .most = col_most, .scale = right, .n = A->cols);
        bill(r, 16 * ((uint64_t)A->n + A->cols));
    }
}

/* weak[0] += the number of diagonal entries that are missing, zero, not finite or, scaled, below 1e-6 */
static inline void weak_diagonal(struct rec *r, const struct csr *A, u32s left, u32s right, u32s weak)
{
    run(r, weak_diagonal, groups_each(A->n), .row = A->row, .col = A->col, .val = reals_of(r, A->val),
        .left = left, .right = right, .weak = weak, .n = A->n);
    bill(r, 16 * (uint64_t)A->n + vector_bytes(r, A->n));
}

/* exponent = scale, rounded and clamped to -most .. most */
static inline void ruiz_round(struct rec *r, u32s scale, u32s exponent, uint32_t most, uint32_t n)
{
    run(r, ruiz_round, groups_each(n), .scale = scale, .exponent = exponent, .most = most, .n = n);
    bill(r, 8 * (uint64_t)n);
}

/* Fills the columns of B, whose row i is row place[i] of A. */
static inline void permuted_columns(struct rec *r, const struct csr *A, u32s place, const struct csr *B)
{
    run(r, permuted_columns, groups_each(B->entries), .row = A->row, .col = A->col, .place = place,
        .to_row = B->row, .to_col = B->col, .n = B->n, .entries = B->entries);
    bill(r, 8 * (uint64_t)B->entries + 12 * (uint64_t)B->n);
}

/* Fills the values of B, whose row i is row place[i] of diag(2^left) A diag(2^right); place NULL: row i. */
static inline void scaled_values(struct rec *r, const struct csr *A, u32s place, u32s left, u32s right,
                                 const struct csr *B)
{
    run(r, scaled_values, groups_each(B->entries), .row = A->row, .val = reals_of(r, A->val), .place = place,
        .left = left, .right = right, .to_row = B->row, .to_col = B->col, .to_val = reals_of(r, B->val),
        .n = B->n, .entries = B->entries);
    bill(r, csr_bytes(r, B) + vector_bytes(r, B->entries) + 12 * (uint64_t)B->n);
}

/* power[i] = 2^e and, if it has elements, inverse[i] = 2^-e, where e = exponent[place[i]]; place NULL: i */
static inline void powers_of_two(struct rec *r, u32s exponent, u32s place, struct vec power,
                                 struct vec inverse)
{
    run_in(r, power.precision, powers_of_two, groups_each(power.n), .exponent = exponent, .place = place,
           .power = vec_reals(power), .inverse = vec_reals(inverse), .n = power.n);
    bill(r, (place ? 8 : 4) * (uint64_t)power.n + vec_bytes(power) + vec_bytes(inverse));
}

#endif
