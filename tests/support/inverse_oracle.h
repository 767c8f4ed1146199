/* Inverses and norms in long double, for the tests. */
#ifndef VKS_TESTS_INVERSE_ORACLE_H
#define VKS_TESTS_INVERSE_ORACLE_H

#include "tests/support/matrix.h"

/* The inverse in long double, by Gauss-Jordan elimination with pivoting of rows. */
static inline long double *inverse_of(const struct host_csr *A)
{
    uint32_t n = A->rows, width = 2 * n;
    long double *W = room((size_t)n * width, sizeof *W), *X = room((size_t)n * n, sizeof *X);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            W[(size_t)i * width + A->col[k]] = A->val[k];
        W[(size_t)i * width + n + i] = 1;
    }
    for (uint32_t c = 0; c < n; c++) {
        uint32_t pivot = c;
        for (uint32_t i = c; i < n; i++)
            if (fabsl(W[(size_t)i * width + c]) > fabsl(W[(size_t)pivot * width + c]))
                pivot = i;
        for (uint32_t j = 0; j < width; j++) {
            long double v = W[(size_t)pivot * width + j];
            W[(size_t)pivot * width + j] = W[(size_t)c * width + j];
            W[(size_t)c * width + j] = v;
        }
        long double by = W[(size_t)c * width + c];
        for (uint32_t j = 0; j < width; j++)
            W[(size_t)c * width + j] /= by;
        for (uint32_t i = 0; i < n; i++) {
            long double times = W[(size_t)i * width + c];
            for (uint32_t j = 0; j < width && i != c && times != 0; j++)
                W[(size_t)i * width + j] -= times * W[(size_t)c * width + j];
        }
    }
    for (uint32_t i = 0; i < n; i++)
        memcpy(X + (size_t)i * n, W + (size_t)i * width + n, n * sizeof *X);
    free(W);
    return X;
}

static inline long double inf_norm(const long double *X, uint32_t n)
{
    long double largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        long double sum = 0;
        for (uint32_t j = 0; j < n; j++)
            sum += fabsl(X[(size_t)i * n + j]);
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

static inline long double csr_norm(const struct host_csr *A)
{
    long double largest = 0;
    for (uint32_t i = 0; i < A->rows; i++) {
        long double sum = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            sum += fabsl(A->val[k]);
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

#endif
