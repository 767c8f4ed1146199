#include "host/kernel.h"

KERNEL(bits_extent)
{
    uint32_t count = 0, last = 0;
    PARALLEL_FOR (w, a->n) {
        uint32_t word = a->bits[w], top = word ? 32 * w + 31 - (uint32_t)__builtin_clz(word) : 0;
        count += (uint32_t)__builtin_popcount(word);
        last = top > last ? top : last;
    }
    __atomic_fetch_add(a->count, count, __ATOMIC_RELAXED);
    take_most(a->last, last);
}
