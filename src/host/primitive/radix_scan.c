#include "host/primitive/radix.h"

KERNEL(radix_scan)
{
    for (uint32_t d = 0; d < DIGITS; d++) {
        uint32_t *row = a->counts + (size_t)d * a->blocks, before = 0;
        for (uint32_t b = 0; b < a->blocks; b++) {
            uint32_t count = row[b];
            row[b] = before;
            before += count;
        }
        a->totals[d] = before;
    }
}
