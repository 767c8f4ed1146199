/* Dense matrices by rows: a naive oracle. */
#ifndef VKS_TESTS_DENSE_ORACLE_H
#define VKS_TESTS_DENSE_ORACLE_H

#include "tests/support/oracle.h"

/* A row times x, summed as a sparse row with all entries. */
static inline double dense_row(enum precision p, const double *row, const double *x, uint32_t cols)
{
    uint32_t lanes = cols < 12 ? 1 : cols < 24 ? 2 : cols < 48 ? 4 : cols < 96 ? 8 : cols < 192 ? 16 : 32;
    uint32_t offsets[] = {0, cols}, *col = room(cols, sizeof *col);
    OWNED(double) *val = room(cols, sizeof *val);
    for (uint32_t k = 0; k < cols; k++)
        col[k] = k;
    memcpy(val, row, cols * sizeof *val);
    struct host_csr A = {1, cols, offsets, col, val};
    double sum = canonical_row(p, &A, x, 0, lanes);
    free(col);
    return sum;
}

/* The row of the largest magnitude in column c among those without a step; the first of equal ones. */
static inline uint32_t naive_pivot(const double *A, uint32_t n, uint32_t ld, uint32_t c, const double *step)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++)
        if (step[i] == UINT32_MAX &&
            (best == UINT32_MAX || fabs(A[(size_t)i * ld + c]) > fabs(A[(size_t)best * ld + c])))
            best = i;
    return best;
}

/* A step of Gauss-Jordan elimination with the pivot in row r and column c, in place. */
static inline void naive_column(enum precision p, double *A, uint32_t n, uint32_t ld, uint32_t r, uint32_t c)
{
    double *row = A + (size_t)r * ld, inverse = rounded(p, 1 / row[c]);
    for (uint32_t x = 0; x < ld; x++)
        row[x] = x == c ? inverse : rounded(p, row[x] * inverse);
    for (uint32_t i = 0; i < n; i++) {
        double *other = A + (size_t)i * ld, m = other[c];
        for (uint32_t x = 0; x < ld && i != r; x++)
            other[x] = x == c ? -rounded(p, m * inverse) : rounded_once(p, -m, row[x], other[x]);
    }
}

#endif
