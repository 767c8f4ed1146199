#include "host/sum.h"

KERNEL(dot)
{
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        a->s[t] = tile_dot(a->x + t * TILE, a->y + t * TILE, tile_length(t, a->n));
    }
    if (LEADS)
        *a->result = sum_up(a->s, tiles);
}
