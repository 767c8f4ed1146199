#include "host/primitive/radix.h"

KERNEL(radix_scatter)
{
    struct scatter s = {a->from,   a->payload_from, a->to,    a->payload_to,
                        a->floats, a->pairs,        a->shift, a->mask};
    uint32_t start[DIGITS];
    starts_of(a->totals, start);
    FOR_BLOCKS(b, a->blocks)
    {
        scatter_block(&s, 1, a->n, a->block, a->blocks, b, a->counts, start);
    }
}
