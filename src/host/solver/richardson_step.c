#include "host/solver/control.h"
#include "host/sum.h"

static real step_tile(const struct richardson_step_args *a, real w, uint32_t first, uint32_t length)
{
    real *restrict x = a->x + first, *restrict r = a->r + first, scaled = w * a->c->scale, v[TILE];
    const real *restrict z = a->z + first, *restrict q = a->q + first;
    for (uint32_t j = 0; j < length; j++) {
        x[j] += scaled * z[j];
        r[j] -= w * q[j];
        v[j] = r[j] * r[j];
    }
    return tile_sum(v, length);
}

KERNEL(richardson_step)
{
    real w = *a->weight;
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        a->s[t] = step_tile(a, w, t * TILE, tile_length(t, a->n));
    }
    if (LEADS)
        fold_stripes(a->s, tiles);
}
