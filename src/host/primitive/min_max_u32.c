#define KEYS_OF_U32
#include "host/primitive/min_max.h"

KERNEL(min_max_u32)
{
    uint32_t tiles = tiles_of(a->n);
    item *s = a->s;
    FOR_TILES (t, tiles) {
        uint32_t i = t * TILE, end = i + tile_length(t, a->n);
        item all = nothing(0);
        if (i < end)
            all = (item){key_of(a->x[i]), key_of(a->x[i]), i, i};
        for (i++; i + 1 < end; i += 2)
            take_pair(&all, i, key_of(a->x[i]), key_of(a->x[i + 1]));
        if (i < end)
            take_pair(&all, i, key_of(a->x[i]), key_of(a->x[i]));
        s[t] = all;
    }
    if (LEADS)
        range_result(tree_up(s, tiles, 0, HALVING), a->result);
}
