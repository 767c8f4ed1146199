#include "host/operator/rows.h"

KERNEL(operator_product_dot)
{
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        uint32_t length = tile_length(t, a->n);
        if (length)
            operator_rows(a->call, t, a->n, a->x, a->y);
        a->s[t] = tile_dot(a->x + t * TILE, a->y + t * TILE, length);
    }
}
