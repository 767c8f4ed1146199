#include "host/dense/gemv.h"

/* The sums of the groups of 256 of the `count` sums at s, in their place. */
static void one_level(real *s, uint32_t count)
{
    for (uint32_t g = 0; g < tiles_of(count); g++) {
        real v[TILE];
        uint32_t length = tile_length(g, count);
        memcpy(v, s + g * TILE, length * sizeof *v);
        s[g] = tile_sum(v, length);
    }
}

KERNEL(gemv_join)
{
    PARALLEL_FOR (i, a->rows) {
        real *s = a->s + (size_t)i * a->strips;
        for (uint32_t count = a->strips; count > 1; count = tiles_of(count))
            one_level(s, count);
        leave(a->y, a->b, i, *s);
    }
}
