#include "host/sparse/csr.h"
#include "host/sum.h"

KERNEL(spmv_csr_dot)
{
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        uint32_t length = tile_length(t, a->n);
        scalar_t *y = a->y + t * TILE;
        rows_product(a->row + t * TILE, a->col, a->val, a->x, y, length, 1);
        a->s[t] = tile_dot(a->own + t * TILE, y, length);
    }
}
