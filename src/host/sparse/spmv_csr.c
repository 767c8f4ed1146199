#include "host/sparse/csr.h"
#include "host/sum.h"

KERNEL(spmv_csr)
{
    uint32_t tiles = a->n ? tiles_of(a->n) : 0;
    FOR_TILES (t, tiles) {
        uint32_t first = t * TILE;
        rows_product(a->row + first, a->col, a->val, a->x, a->y + first, tile_length(t, a->n), a->lanes);
    }
}
