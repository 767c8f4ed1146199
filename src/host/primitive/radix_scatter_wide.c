#include "host/primitive/radix.h"

KERNEL(radix_scatter_wide)
{
    struct scatter s = {a->from,   a->payload_from, a->to,    a->payload_to,
                        a->floats, a->pairs,        a->shift, a->mask};
    uint32_t start[DIGITS];
    starts_of(a->totals, start);
    FOR_BLOCKS(b, a->blocks)
    {
        scatter_block(&s, 2, a->n, a->block, a->blocks, b, a->counts, start);
    }
}
