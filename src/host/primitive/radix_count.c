#include "host/primitive/radix.h"

KERNEL(radix_count)
{
    FOR_BLOCKS(b, a->blocks)
    {
        uint32_t count[DIGITS] = {0};
        size_t first = (size_t)b * a->block, end = block_end(first, a->block, a->n);
        for (size_t i = first; i < end; i++)
            count[digit_at(load_key(a->keys, a->words, i), a->words, a->shift, a->mask, a->floats)]++;
        for (uint32_t d = 0; d < DIGITS; d++)
            a->counts[(size_t)d * a->blocks + b] = count[d];
    }
}
