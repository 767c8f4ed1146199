#ifndef VKS_SPARSE_BITS_H
#define VKS_SPARSE_BITS_H

#include <stdint.h>

/* The number of bits that a radix sort by indices below n must process. */
static inline uint32_t bits_below(uint32_t n)
{
    uint32_t bits = 0;
    for (uint32_t last = n ? n - 1 : 0; last; last >>= 1)
        bits++;
    return bits;
}

#endif
