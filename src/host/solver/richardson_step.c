#include "host/solver/control.h"
#include "host/sum.h"

static scalar_t step_tile(const struct richardson_step_args *a, real w, uint32_t first, uint32_t length)
{
    scalar_t *restrict x = a->x + first, *restrict r = a->r + first, v[TILE];
    real scaled = w * a->c->scale;
    const scalar_t *restrict z = a->z + first, *restrict q = a->q + first;
    for (uint32_t j = 0; j < length; j++) {
        x[j] += scaled * z[j];
        r[j] -= w * q[j];
        v[j] = mul(conj(r[j]), r[j]);
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
