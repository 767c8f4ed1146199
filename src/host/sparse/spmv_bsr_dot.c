#include "host/sparse/bsr.h"
#include "host/sum.h"

KERNEL(spmv_bsr_dot)
{
    struct bsr A = BSR_OF(a);
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        uint32_t length = tile_length(t, a->n);
        scalar_t *y = a->y + t * TILE;
        rows_product(&A, a->x, t * TILE, length, y, a->lanes);
        a->s[t] = tile_dot(a->own + t * TILE, y, length);
    }
}
