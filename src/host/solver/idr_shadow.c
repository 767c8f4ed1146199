#include "host/solver/idr.h"

KERNEL(idr_shadow)
{
    uint32_t tiles = tiles_of(a->n);
    scalar_t *s = a->s + IDR_SHADOW * a->stride;
    FOR_TILES (t, tiles) {
        uint32_t first = t * TILE, length = tile_length(t, a->n);
        shadow_sums(a->w, a->g + first, first, length, a->n, s + t, a->stride);
        s[IDR_S * a->stride + t] = square_sum(a->g + first, NULL, length);
    }
    if (LEADS)
        fold_rows(s, tiles, a->stride, IDR_S + 1);
}
