/* Rows of sums that the kernels of a method share. */
#ifndef VKS_HOST_SOLVER_ROWS_H
#define VKS_HOST_SOLVER_ROWS_H

#include "host/sum.h"

/* The sum of the squares of e, weighted if `weight` is not NULL. */
static inline scalar_t square_sum(const scalar_t *restrict e, const real *restrict weight, uint32_t length)
{
    scalar_t v[TILE];
    for (uint32_t j = 0; j < length; j++) {
        scalar_t scaled = weight ? weight[j] * e[j] : e[j];
        v[j] = mul(conj(scaled), scaled);
    }
    return tile_sum(v, length);
}

static inline void fold_rows(scalar_t *s, uint32_t tiles, uint32_t stride, uint32_t rows)
{
    for (uint32_t row = 0; row < rows; row++)
        fold_stripes(s + row * stride, tiles);
}

static inline void rest_of_rows(const scalar_t *s, uint32_t tiles, uint32_t stride, uint32_t rows,
                                scalar_t *total)
{
    for (uint32_t row = 0; row < rows; row++)
        total[row] = rest_of_stripes(s + row * stride, tiles);
}

#endif
