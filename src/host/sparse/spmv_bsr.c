#include "host/sparse/bsr.h"
#include "host/sum.h"

KERNEL(spmv_bsr)
{
    struct bsr A = BSR_OF(a);
    uint32_t tiles = a->n ? tiles_of(a->n) : 0;
    FOR_TILES (t, tiles) {
        rows_product(&A, a->x, t * TILE, tile_length(t, a->n), a->y + t * TILE, a->lanes);
    }
}
