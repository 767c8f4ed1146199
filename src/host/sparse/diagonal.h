/* The twin of shaders/sparse/diagonal.glsl. */
#ifndef VKS_HOST_SPARSE_DIAGONAL_H
#define VKS_HOST_SPARSE_DIAGONAL_H

#include "host/kernel.h"

static inline void first_row(uint32_t *flag, uint32_t i)
{
    PRAGMA(omp critical(diagonal))
    if (i < *flag)
        *flag = i;
}

static inline real inverted(uint32_t *flags, uint32_t i, real d, real same)
{
    real inverse = 1 / d;
    if (d == 0)
        first_row(&flags[0], i);
    else if (!isfinite(d) || !isfinite(inverse))
        first_row(&flags[2], i);
    else if (d < 0)
        first_row(&flags[1], i);
    if (d != same)
        first_row(&flags[3], i);
    return inverse;
}

#endif
