#include "host/sparse/sell.h"
#include "host/sum.h"

KERNEL(spmv_sell_dot)
{
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        uint32_t length = tile_length(t, a->n);
        scalar_t *y = a->y + t * TILE;
        sell_tile(a->slice, a->col, a->base, a->val, a->x, a->bits, t, length, y, a->lanes);
        a->s[t] = tile_dot(a->own + t * TILE, y, length);
    }
}
