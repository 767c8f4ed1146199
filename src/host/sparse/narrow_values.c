#include "host/kernel.h"
#include "shaders/sparse/narrow.h"

KERNEL(narrow_values)
{
    const uint32_t *from = a->from;
    uint32_t *to = a->to, lost = UINT32_MAX;
    PARALLEL_FOR (i, a->n) {
        uint32_t low = from[2 * (size_t)i], high = from[2 * (size_t)i + 1];
        uint32_t here = SURVIVES(high, low) ? UINT32_MAX : i;
        lost = here < lost ? here : lost;
        to[i] = NARROWED(high, low);
    }
    take_least(a->lost, lost);
}
