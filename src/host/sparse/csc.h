/* Shares of the entries of CSC, as in shaders/sparse/csc.glsl. */
#ifndef VKS_HOST_SPARSE_CSC_H
#define VKS_HOST_SPARSE_CSC_H

#include "host/kernel.h"

enum { CSC_SHARE = 1024 };

/* The column of entry k, of `cols` columns: the last that begins at or before k. */
static inline uint32_t column_of(const uint32_t *start, uint32_t cols, uint32_t k)
{
    uint32_t from = 0, to = cols;
    while (to - from > 1) {
        uint32_t middle = from + (to - from) / 2;
        if (start[middle] <= k)
            from = middle;
        else
            to = middle;
    }
    return from;
}

/* Loops over the entries k of share s and their columns j. */
#define FOR_SHARE(k, j, s, start, cols, entries)                              \
    for (uint32_t k = CSC_SHARE * (s), j = column_of(start, cols, k),         \
                  end_ = (entries)-k < CSC_SHARE ? (entries) : k + CSC_SHARE; \
         k < end_ && (j = start[j + (size_t)1] > k ? j : column_of(start, cols, k), true); k++)

static inline uint32_t csc_shares(uint32_t entries)
{
    return entries / CSC_SHARE + (entries % CSC_SHARE != 0);
}

#endif
