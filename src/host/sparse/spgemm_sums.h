/* The values of a row of C = A B: shared by the twins of spgemm_values and spgemm_lane_values. */
#ifndef VKS_HOST_SPARSE_SPGEMM_SUMS_H
#define VKS_HOST_SPARSE_SPGEMM_SUMS_H

#include "device/search.h"
#include "host/kernel.h"
#include "shaders/sparse/spgemm.h"

struct product {
    const uint32_t *a_row, *a_col, *b_row, *b_col, *c_row, *c_col;
    const scalar_t *a_val, *b_val;
    scalar_t *c_val;
};

/* From the arguments of either kernel. */
#define PRODUCT_OF(a)                                                                                     \
    ((struct product){(a)->a_row, (a)->a_col, (a)->b_row, (a)->b_col, (a)->c_row, (a)->c_col, (a)->a_val, \
                      (a)->b_val, (a)->c_val})

/* The index of the first of col[s .. n - 1], ascending, that is `column` or more; fast if near s. */
static inline uint32_t gallop(const uint32_t *col, uint32_t s, uint32_t n, uint32_t column)
{
    uint32_t step = 1;
    while (s < n && step < n - s && col[s + step] < column) {
        s += step;
        step *= 2;
    }
    return first_not_below(col, s, step < n - s ? s + step : n, column);
}

/* Adds alpha times a row of B, `count` entries, to the n entries of a row of C; false if C lacks one. */
static inline bool add_row(const uint32_t *c_col, scalar_t *c_val, uint32_t n, scalar_t alpha,
                           const uint32_t *col, const scalar_t *val, uint32_t count)
{
    bool whole = true;
    for (uint32_t f = 0, s = 0; f < count; f++) {
        s = gallop(c_col, s, n, col[f]);
        if (s < n && c_col[s] == col[f])
            c_val[s] += mul(alpha, val[f]);
        else
            whole = false;
    }
    return whole;
}

/* Computes the whole row; false if C lacks an entry. */
static inline bool sum_row(const struct product *a, uint32_t i)
{
    const uint32_t *col = a->c_col + a->c_row[i], n = a->c_row[i + (size_t)1] - a->c_row[i];
    scalar_t *val = a->c_val + a->c_row[i];
    bool whole = true;
    for (uint32_t s = 0; s < n; s++)
        val[s] = 0;
    for (uint32_t e = a->a_row[i]; e < a->a_row[i + (size_t)1]; e++) {
        uint32_t k = a->a_col[e], first = a->b_row[k], count = a->b_row[k + (size_t)1] - first;
        whole &= add_row(col, val, n, a->a_val[e], a->b_col + first, a->b_val + first, count);
    }
    return whole;
}

#endif
