/* Products added to y atomically in any order, as in shaders/sparse/scatter.glsl: y[i] += v. */
#ifndef VKS_HOST_SPARSE_SCATTER_H
#define VKS_HOST_SPARSE_SCATTER_H

#include "host/kernel.h"

static inline void add_to(scalar_t *y, uint32_t i, scalar_t v)
{
    scalar_t have, sum;
    __atomic_load(&y[i], &have, __ATOMIC_RELAXED);
    do
        sum = have + v;
    while (!__atomic_compare_exchange(&y[i], &have, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

#endif
