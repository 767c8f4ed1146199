#include "host/solver/idr.h"

KERNEL(idr_minimum)
{
    if (!alive(a->c))
        return;
    uint32_t tiles = tiles_of(a->n);
    scalar_t *s = a->s + IDR_MINIMUM * a->stride;
    FOR_TILES (tile, tiles) {
        uint32_t first = tile * TILE, length = tile_length(tile, a->n);
        const scalar_t *restrict t = a->t + first, *restrict r = a->r + first;
        s[tile] = square_sum(t, NULL, length);
        s[a->stride + tile] = tile_dot(t, r, length);
        s[2 * a->stride + tile] = square_sum(r, NULL, length);
    }
    if (!LEADS)
        return;
    fold_rows(s, tiles, a->stride, 3);
    idr_decide(a->c, a->w, a->history, a->kept, real_part(rest_of_stripes(a->s, tiles)));
}
