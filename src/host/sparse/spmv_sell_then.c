#include "host/sparse/sell.h"
#include "host/sparse/then.h"
#include "host/sum.h"

KERNEL(spmv_sell_then)
{
    struct then then = THEN_OF(a);
    uint32_t tiles = a->n ? tiles_of(a->n) : 0;
    FOR_TILES (t, tiles) {
        scalar_t s[TILE];
        uint32_t length = tile_length(t, a->n);
        sell_tile(a->slice, a->col, a->base, a->val, a->x, NULL, t, length, s, a->lanes);
        then_rows(&then, t * TILE, t * TILE + length, s);
    }
}
