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

/* The rows with more entries first, those of one length as they stand, long ones last; how many have more
 * than 32, 16 and 8. */
static inline void order_naively(const struct host_csr *A, uint32_t *order, uint32_t above[3])
{
    uint32_t count = 0;
    for (uint32_t length = 257; length-- > 0;) {
        for (uint32_t i = 0; i < A->rows; i++)
            if (short_length(A, i) == length)
                order[count++] = i;
        for (int c = 0; c < 3; c++)
            above[c] = length > 32u >> c ? count : above[c];
    }
}

/* The ranges, and the product. */
static inline void record_spmv_balanced(struct job *j)
{
    const struct csr *A = put_matrix(j);
    uint32_t n = j->n, *order = room(n, 4), none[3] = {0};
    struct balanced B = {0};
    order_naively(j->A, order, B.above);
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, n, "y"),
                        *range = new_bytes(j, 8 * (uint64_t)n, "ranges"),
                        *above = put_words(j, none, 3, "rows of each class");
    B.order = words_at(put_words(j, order, n, "the order of rows"));
    B.range = words_at(range);
    put_longs(j);
    balanced_ranges(&j->r, A, &B, words_at(above));
    spmv_balanced(&j->r, NULL, A, &B, reals_at(x), reals_at(y));
    compared(j, y, j->p, n);
    compared_words(j, range, 2 * (uint64_t)n);
    compared_words(j, above, 3);
    free(order);
}

/* A long row has a range that ends before it begins. */
static inline void expect_spmv_balanced(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    uint32_t n = j->n, *order = room(n, 4), above[3] = {0};
    order_naively(A, order, above);
    expect_spmv_csr(j, want);
    for (uint32_t t = 0; t < n; t++) {
        uint32_t i = order[t];
        bool is_long = A->row[i + 1] - A->row[i] > 256;
        want[n + 2 * t] = is_long ? 1 : A->row[i];
        want[n + 2 * t + 1] = is_long ? 0 : A->row[i + 1];
    }
    for (int c = 0; c < 3; c++)
        want[3 * n + (uint32_t)c] = above[c];
    free(order);
}

#define SPARSE_CASES(X)              \
    X(spmv_balanced, .sparse = true) \
    X(spmv_csr, .sparse = true)      \
    X(csr_diagonal, .sparse = true)  \
    X(csr_residual, .sparse = true)

#endif
