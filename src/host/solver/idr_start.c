#include "host/solver/idr.h"

KERNEL(idr_start)
{
    uint32_t tiles = tiles_of(a->n);
    if (LEADS)
        for (uint32_t j = 0; j < IDR_S * IDR_S; j++)
            a->w->m[j] = j % (IDR_S + 1) == 0;
    FOR_TILES (t, tiles) {
        uint32_t first = t * TILE, length = tile_length(t, a->n);
        const real *weight = a->weighted ? a->weight + first : NULL;
        a->s[t] = square_sum(a->r + first, weight, length);
        shadow_sums(a->w, a->r + first, first, length, a->n, a->s + IDR_SHADOW * a->stride + t, a->stride);
    }
    if (LEADS)
        fold_rows(a->s, tiles, a->stride, 1 + IDR_S);
}
