#include "host/pairs.h"

KERNEL(pairs_square)
{
    float scale = a->scale->high;
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        uint32_t length = tile_length(t, a->n);
        struct pair v[TILE];
        for (uint32_t j = 0, i = t * TILE; j < length; j++, i++) {
            v[j] = (struct pair){scale * a->x[i].high, scale * a->x[i].low};
            v[j] = pair_times(v[j], v[j]);
        }
        a->s[t] = pair_tile_sum(v, length);
    }
    if (LEADS)
        *a->result = pair_sum_in_place(a->s, tiles);
}
