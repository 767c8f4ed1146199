#include "host/sparse/coded.h"
#include "host/sum.h"

KERNEL(spmv_coded_dot)
{
    struct coded A = {a->slice, a->code, a->apart, a->value, a->units, a->wide};
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        uint32_t length = tile_length(t, a->n);
        scalar_t *y = a->y + t * TILE;
        coded_tile(&A, a->x, a->bits, t, length, y, a->lanes);
        a->s[t] = tile_dot(a->own + t * TILE, y, length);
    }
}
