#include "host/sparse/coded.h"
#include "host/sum.h"

KERNEL(spmv_coded)
{
    struct coded A = {a->slice, a->code, a->apart, a->value, a->units, a->wide};
    uint32_t tiles = a->n ? tiles_of(a->n) : 0;
    FOR_TILES (t, tiles) {
        coded_tile(&A, a->x, a->bits, t, tile_length(t, a->n), a->y + t * TILE, a->lanes);
    }
}
