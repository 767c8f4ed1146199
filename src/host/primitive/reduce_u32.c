#include "host/kernel.h"

typedef uint32_t item;

static inline item nothing(uint32_t product)
{
    return product ? 1 : 0;
}

static inline item combine(item a, item b, uint32_t product)
{
    return product ? a * b : a + b;
}

#include "host/primitive/tree.h"

KERNEL(reduce_u32)
{
    uint32_t tiles = tiles_of(a->n);
    item *s = a->s;
    FOR_TILES (t, tiles) {
        uint32_t length = tile_length(t, a->n);
        item v[TILE];
        memcpy(v, a->x + t * TILE, length * sizeof *v);
        s[t] = tile_tree(v, length, a->product, a->pairing);
    }
    if (LEADS)
        *a->result = tree_up(s, tiles, a->product, a->pairing);
}
