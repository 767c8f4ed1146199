#include "host/sum.h"

KERNEL(norm2)
{
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        uint32_t length = tile_length(t, a->n);
        scalar_t v[TILE];
        for (uint32_t j = 0, i = t * TILE; j < length; j++, i++)
            v[j] = mul(conj(a->x[i]), a->x[i]);
        a->s[t] = tile_sum(v, length);
    }
    if (LEADS)
        *a->result = ROOT(real_part(sum_up(a->s, tiles)));
}
