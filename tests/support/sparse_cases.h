/* The cases of the kernels of shaders/sparse/, through their verbs. */
#ifndef VKS_TESTS_SPARSE_CASES_H
#define VKS_TESTS_SPARSE_CASES_H

#include "sparse/balanced.h"
#include "tests/support/long_cases.h"

static inline void record_spmv_csr(struct job *j)
{
    const struct csr *A = put_matrix(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, j->n, "y");
    put_longs(j);
    if (A->longs)
        spmv_long(&j->r, NULL, A, reals_at(x), reals_at(y));
    spmv_csr(&j->r, NULL, A, reals_at(x), reals_at(compared(j, y, j->p, j->n)));
}

static inline void expect_spmv_csr(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = canonical_row(j->p, j->A, j->x, i, j->lanes);
}

/* 1 / diagonal, and the first row of each fault. */
static inline void record_csr_diagonal(struct job *j)
{
    static const uint32_t none[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    const struct csr *A = put_matrix(j);
    const struct memory *d = compared(j, new_reals(j, j->n, "the diagonal"), j->p, j->n);
    csr_diagonal(&j->r, A, reals_at(d), words_at(compared_words(j, put_words(j, none, 3, "flags"), 3)));
}

static inline void expect_csr_diagonal(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    double *flags = want + j->n;
    flags[0] = flags[1] = flags[2] = UINT32_MAX;
    for (uint32_t i = 0; i < j->n; i++) {
        double a = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            if (A->col[k] == i)
                a = A->val[k];
        int fault = !isfinite(a) ? 2 : a == 0 ? 0 : a < 0 ? 1 : -1;
        if (fault >= 0 && flags[fault] == UINT32_MAX)
            flags[fault] = i;
        want[i] = rounded(j->p, 1 / a);
    }
}

/* r = b - A x in double precision. */
static inline void record_csr_residual(struct job *j)
{
    const struct csr *A = put_matrix(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *b = put(j, j->y, j->n, "b");
    const struct memory *r =
        compared(j, new_bytes(j, 8 * (uint64_t)j->n, "the residual"), PRECISION_F64, j->n);
    put_longs(j);
    if (A->longs)
        csr_residual_long(&j->r, A, reals_at(x), doubles_at(r));
    csr_residual(&j->r, A, reals_at(x), reals_at(b), doubles_at(r));
}

static inline void expect_csr_residual(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = j->y[i] - canonical_row(PRECISION_F64, j->A, j->x, i, j->lanes);
}

/* The rows with more entries first, those of one length as they stand, long ones last. */
static inline uint32_t *order_naively(const struct host_csr *A)
{
    uint32_t count = 0, *order = room(A->rows, 4);
    for (uint32_t length = 257; length-- > 0;)
        for (uint32_t i = 0; i < A->rows; i++)
            if (short_length(A, i) == length)
                order[count++] = i;
    return order;
}

/* Where each slice of 32 threads begins, as many threads a row as there are lanes, and what all have. */
static inline uint32_t *slices_naively(const struct host_csr *A, const uint32_t *order, uint32_t lanes)
{
    uint32_t rows = 32 / lanes, slices = (A->rows + rows - 1) / rows, *slice = room(slices + (size_t)1, 4);
    for (uint32_t s = 0; s < slices; s++)
        slice[s + 1] = slice[s] + 32 * ((short_length(A, order[rows * s]) + lanes - 1) / lanes);
    return slice;
}

/* The sizes of the slices, what they hold, and the product. */
static inline void record_spmv_balanced(struct job *j)
{
    const struct csr *A = put_matrix(j);
    uint32_t n = j->n, *order = order_naively(j->A), *slice = slices_naively(j->A, order, j->lanes);
    struct balanced B = {.slices = balanced_slices(n, j->lanes)};
    B.padded = slice[B.slices];
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, n, "y"),
                        *size = new_bytes(j, 4 * (uint64_t)B.slices, "sizes"),
                        *col = new_bytes(j, 4 * (uint64_t)B.padded, "columns in slices"),
                        *val = new_reals(j, B.padded, "values in slices");
    B.order = words_at(put_words(j, order, n, "the order of rows"));
    B.slice = words_at(put_words(j, slice, B.slices + (uint64_t)1, "slice offsets"));
    B.col = words_at(col);
    B.val = reals_at(val);
    put_longs(j);
    balanced_sizes(&j->r, A, &B, words_at(size));
    csr_to_balanced(&j->r, A, &B);
    spmv_balanced(&j->r, NULL, A, &B, reals_at(x), reals_at(y));
    compared(j, y, j->p, n);
    compared_words(j, size, B.slices);
    compared_words(j, col, B.padded);
    compared(j, val, j->p, B.padded);
    free(order);
    free(slice);
}

static inline void expect_spmv_balanced(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    uint32_t lanes = j->lanes, *order = order_naively(A), *slice = slices_naively(A, order, lanes),
             slices = balanced_slices(j->n, lanes);
    double *size = want + j->n, *col = size + slices, *val = col + slice[slices];
    expect_spmv_csr(j, want);
    for (uint32_t s = 0; s < slices; s++) {
        size[s] = slice[s + 1] - slice[s];
        for (uint32_t at = slice[s]; at < slice[s + 1]; at++) {
            uint32_t thread = (at - slice[s]) % 32, t = s * (32 / lanes) + thread / lanes,
                     k = (at - slice[s]) / 32 * lanes + thread % lanes;
            bool is = t < j->n && k < short_length(A, order[t]);
            col[at] = is ? A->col[A->row[order[t]] + k] : UINT32_MAX;
            val[at] = is ? A->val[A->row[order[t]] + k] : 0;
        }
    }
    free(order);
    free(slice);
}

#define SPARSE_CASES(X)              \
    X(spmv_balanced, .sparse = true) \
    X(spmv_csr, .sparse = true)      \
    X(csr_diagonal, .sparse = true)  \
    X(csr_residual, .sparse = true)

#endif
