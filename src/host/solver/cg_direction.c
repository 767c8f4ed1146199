#include "host/sum.h"

#include "host/solver/control.h"

static void direction_tile(const struct cg_direction_args *a, uint32_t first, uint32_t length)
{
    real alpha = a->w->alpha, beta = a->w->beta;
    real *restrict x = a->x + first, *restrict p = a->p + first;
    const real *restrict r = a->r + first, *restrict d = a->d + (a->jacobi ? first : 0);
    for (uint32_t j = 0; j < length; j++)
        x[j] += alpha * p[j];
    if (a->jacobi)
        for (uint32_t j = 0; j < length; j++)
            p[j] = d[j] * r[j] + beta * p[j];
    else
        for (uint32_t j = 0; j < length; j++)
            p[j] = r[j] + beta * p[j];
}

KERNEL(cg_direction)
{
    if (!a->c->pending)
        return;
    uint32_t tiles = a->n ? tiles_of(a->n) : 0;
    FOR_TILES(t, tiles) {
        direction_tile(a, t * TILE, tile_length(t, a->n));
    }
}
