#include "host/sparse/slices.h"

KERNEL(spmv_slices_dot)
{
    struct slices A = {a->slice, a->col, a->base, NULL, a->bits, a->val, a->n, a->height, a->width, a->lanes};
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        slices_tile(&A, a->x, t, a->y);
        a->s[t] = tile_dot(a->own + t * TILE, a->y + t * TILE, tile_length(t, a->n));
    }
}
