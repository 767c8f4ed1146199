#include "host/hash.h"
#include "host/solver/bicgstab.h"

static void start_tile(const struct bicgstab_start_args *a, uint32_t start, uint32_t first, uint32_t length)
{
    const real *restrict r = a->r + first;
    for (uint32_t j = 0; j < length; j++) {
        real sign = hash((first + j) ^ hash(start)) >> 31 ? -1 : 1;
        a->shadow[first + j] = start == 1 ? r[j] : sign;
        a->u[first + j] = a->y[first + j] = a->best[first + j] = 0;
    }
}

KERNEL(bicgstab_start)
{
    uint32_t tiles = tiles_of(a->n), start = (uint32_t)a->w->start;
    real *rho = a->s + BICGSTAB_RHO * a->stride, *rr = a->s + BICGSTAB_RR * a->stride;
    FOR_TILES (t, tiles) {
        uint32_t first = t * TILE, length = tile_length(t, a->n);
        start_tile(a, start, first, length);
        rho[t] = tile_dot(a->shadow + first, a->r + first, length);
        rr[t] = square_sum(a->r + first, a->weighted ? a->weight + first : NULL, length);
    }
    if (LEADS)
        fold_rows(a->s, tiles, a->stride, 2);
}
