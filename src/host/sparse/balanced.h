/* Slices of balanced CSR on the host, as in shaders/sparse/balanced.glsl. */
#ifndef VKS_HOST_SPARSE_BALANCED_H
#define VKS_HOST_SPARSE_BALANCED_H

#include "host/sparse/sell.h"

#define NOTHING 0xFFFFFFFFu

/* s over the slices, which are of very different widths. */
#define FOR_SLICES(s, slices)                                          \
    PRAGMA(omp parallel for schedule(dynamic, 16) if ((slices) >= 64)) \
    for (uint32_t s = 0; s < (slices); s++)

#endif
