#include "host/sparse/sell.h"
#include "host/sum.h"

KERNEL(spmv_sell)
{
    uint32_t tiles = a->n ? tiles_of(a->n) : 0;
    FOR_TILES (t, tiles) {
        sell_tile(a->slice, a->col, a->base, a->val, a->x, a->bits, t, tile_length(t, a->n), a->y + t * TILE,
                  a->lanes);
    }
}
