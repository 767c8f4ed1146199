/* The twin of shaders/sparse/diagonal.glsl. */
#ifndef VKS_HOST_SPARSE_DIAGONAL_H
#define VKS_HOST_SPARSE_DIAGONAL_H

#include "host/kernel.h"

static inline real inverted(uint32_t *flags, uint32_t i, real d, real same)
{
    real inverse = 1 / d;
    if (d == 0)
        take_least(&flags[0], i);
    else if (!isfinite(d) || !isfinite(inverse))
        take_least(&flags[2], i);
    else if (d < 0)
        take_least(&flags[1], i);
    if (d != same)
        take_least(&flags[3], i);
    return inverse;
}

#endif
