#include "host/sum.h"

KERNEL(sum)
{
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        uint32_t length = tile_length(t, a->n);
        scalar_t v[TILE];
        for (uint32_t j = 0, i = t * TILE; j < length; j++, i++)
            v[j] = a->x[i];
        a->s[t] = tile_sum(v, length);
    }
    if (LEADS)
        *a->result = sum_up(a->s, tiles);
}
