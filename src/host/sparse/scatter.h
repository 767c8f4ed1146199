/* Products added to where they belong by whoever comes, as in shaders/sparse/scatter.glsl: y[i] += v. */
#ifndef VKS_HOST_SPARSE_SCATTER_H
#define VKS_HOST_SPARSE_SCATTER_H

#include "host/kernel.h"

static inline void add_to(real *y, uint32_t i, real v)
{
    PRAGMA(omp atomic)
    y[i] += v;
}

#endif
