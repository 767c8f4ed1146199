#include "host/sparse/then.h"
#include "host/sum.h"

KERNEL(product_then)
{
    struct then then = THEN_OF(a);
    uint32_t tiles = a->n ? tiles_of(a->n) : 0;
    FOR_TILES (t, tiles) {
        then_rows(&then, t * TILE, t * TILE + tile_length(t, a->n), a->q + t * TILE);
    }
}
