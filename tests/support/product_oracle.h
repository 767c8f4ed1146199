/* An oracle for sparse products: a dense row of sums, in ascending k, from +0. Also the transpose. */
#ifndef VKS_TESTS_PRODUCT_ORACLE_H
#define VKS_TESTS_PRODUCT_ORACLE_H

#include "tests/support/matrix.h"

static inline int compare_columns(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static inline uint64_t count_products(const struct host_csr *A, const struct host_csr *B, uint32_t first,
                                      uint32_t last)
{
    uint64_t products = 0;
    for (uint32_t e = A->row[first]; e < A->row[last]; e++)
        products += B->row[A->col[e] + 1] - B->row[A->col[e]];
    return products;
}

/* Row i of A B: writes its columns to `col`, and its sums to the dense row `sum`. Returns their number.
 * `there` is all false before and after. */
static inline uint32_t product_row(enum precision p, const struct host_csr *A, const struct host_csr *B,
                                   uint32_t i, uint32_t *col, double *sum, bool *there)
{
    uint32_t n = 0;
    for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++)
        for (uint32_t f = B->row[A->col[e]]; f < B->row[A->col[e] + 1]; f++) {
            uint32_t c = B->col[f];
            if (!there[c])
                col[n++] = c;
            sum[c] = rounded(p, (there[c] ? sum[c] : 0.0) + rounded(p, A->val[e] * B->val[f]));
            there[c] = true;
        }
    for (uint32_t s = 0; s < n; s++)
        there[col[s]] = false;
    qsort(col, n, sizeof *col, compare_columns);
    return n;
}

static inline struct host_csr product_oracle(enum precision p, const struct host_csr *A,
                                             const struct host_csr *B)
{
    struct host_csr C = new_csr(A->rows, B->cols, count_products(A, B, 0, A->rows));
    OWNED(double) *sum = room(B->cols, sizeof *sum);
    bool *there = room(B->cols, sizeof *there);
    for (uint32_t i = 0; i < A->rows; i++) {
        uint32_t at = C.row[i], n = product_row(p, A, B, i, C.col + at, sum, there);
        for (uint32_t s = at; s < at + n; s++)
            C.val[s] = sum[C.col[s]];
        C.row[i + 1] = at + n;
    }
    free(there);
    return C;
}

static inline struct host_csr transpose_oracle(const struct host_csr *A)
{
    struct host_csr T = new_csr(A->cols, A->rows, A->row[A->rows]);
    for (uint32_t e = 0; e < A->row[A->rows]; e++)
        T.row[A->col[e] + 1]++;
    for (uint32_t c = 0; c < A->cols; c++)
        T.row[c + 1] += T.row[c];
    OWNED(uint32_t) *at = room(A->cols + (size_t)1, 4);
    memcpy(at, T.row, A->cols * (size_t)4);
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++) {
            T.col[at[A->col[e]]] = i;
            T.val[at[A->col[e]]++] = A->val[e];
        }
    return T;
}

#endif
