#include "host/sum.h"

KERNEL(wide_square)
{
    double scale = *a->scale;
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        uint32_t length = tile_length(t, a->n);
        double v[TILE];
        for (uint32_t j = 0, i = t * TILE; j < length; j++, i++)
            v[j] = scale * (double)a->x[i], v[j] *= v[j];
        a->s[t] = wide_tile_sum(v, length);
    }
    if (LEADS)
        *a->result = wide_sum_up(a->s, tiles);
}
