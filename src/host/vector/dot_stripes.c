#include "host/sum.h"

KERNEL(dot_stripes)
{
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        a->s[t] = tile_dot(a->x + t * TILE, a->y + t * TILE, tile_length(t, a->n));
    }
    if (LEADS)
        fold_stripes(a->s, tiles);
}
