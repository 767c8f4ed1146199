#include "host/kernel.h"

KERNEL(bits_extent)
{
    uint32_t count = 0, last = *a->last;
#pragma omp parallel for schedule(static) reduction(+ : count) reduction(max : last) \
    if (a->n >= PARALLEL_FROM)
    for (uint32_t w = 0; w < a->n; w++) {
        uint32_t word = a->bits[w], top = word ? 32 * w + 31 - (uint32_t)__builtin_clz(word) : 0;
        count += (uint32_t)__builtin_popcount(word);
        last = top > last ? top : last;
    }
    *a->count += count;
    *a->last = last;
}
