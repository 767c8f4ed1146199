#include "host/kernel.h"

KERNEL(blocks_transpose)
{
    uint32_t high = a->high, wide = a->wide, blocks = a->elements / (high * wide);
    PARALLEL_FOR (q, blocks) {
        const scalar_t *from = a->from + (size_t)a->place[q] * high * wide;
        scalar_t *to = a->to + (size_t)q * high * wide;
        for (uint32_t c = 0; c < wide; c++)
            for (uint32_t r = 0; r < high; r++)
                to[c * high + r] = from[r * wide + c];
    }
}
