#include "../../../shaders/sparse/narrow.h"
#include "host/kernel.h"

KERNEL(narrow_values)
{
    const uint32_t *from = a->from;
    uint32_t *to = a->to, lost = *a->lost;
#pragma omp parallel for schedule(static) reduction(min : lost) if (a->n >= PARALLEL_FROM)
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t low = from[2 * (size_t)i], high = from[2 * (size_t)i + 1];
        uint32_t here = SURVIVES(high, low) ? UINT32_MAX : i;
        lost = here < lost ? here : lost;
        to[i] = NARROWED(high, low);
    }
    *a->lost = lost;
}
