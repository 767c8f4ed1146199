#include "host/sum.h"

static scalar_t sum_of_chunk(const scalar_t *s, uint32_t length, uint32_t width)
{
    scalar_t v[TILE] = {0};
    memcpy(v, s, length * sizeof *v);
    return width == 1 ? *v : width == TILE ? tile_sum(v, length) : tile_lanes(v);
}

KERNEL(chunk_sums)
{
    if (!LEADS)
        return;
    uint32_t chunks = a->count / a->width + (a->count % a->width != 0);
    for (uint32_t c = 0; c < a->rows; c++)
        for (uint32_t k = 0; k < chunks; k++) {
            uint32_t first = k * a->width, left = a->count - first;
            const scalar_t *s = a->s + a->from + c * a->stride + first;
            a->to[c * chunks + k] = sum_of_chunk(s, left < a->width ? left : a->width, a->width);
        }
}
