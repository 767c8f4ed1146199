#include "host/solver/control.h"
#include "host/sparse/long.h"
#include "host/sum.h"

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

KERNEL(long_totals)
{
    if (a->c && !alive(a->c))
        return;
    for (uint32_t h = 0; h < a->heads; h++) {
        struct long_piece q = piece_at(a->list, a->head[h]);
        real *s = a->sum + a->head[h];
        for (uint32_t count = q.of; count > 1; count = tiles_of(count))
            one_level(s, count);
        a->y[q.row] = *s;
    }
}
