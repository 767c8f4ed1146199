#include "host/sum.h"

static void step_tile(const struct axpy_multiply_args *a, uint32_t t)
{
    uint32_t first = t * TILE, length = tile_length(t, a->n);
    const scalar_t *x = a->x + first, *d = a->d + first;
    scalar_t alpha = *a->alpha, *y = a->y + first, *z = a->z + first, vy[TILE], vz[TILE];
    for (uint32_t j = 0; j < length; j++) {
        scalar_t e = y[j] + mul(alpha, x[j]), f = mul(d[j], e);
        y[j] = e;
        z[j] = f;
        vy[j] = mul(conj(f), e);
        vz[j] = mul(conj(f), f);
    }
    a->s[t] = tile_sum(vy, length);
    a->s[a->stride + t] = tile_sum(vz, length);
}

KERNEL(axpy_multiply)
{
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        step_tile(a, t);
    }
    if (LEADS)
        for (uint32_t c = 0; c < 2; c++)
            a->results[c] = sum_up(a->s + c * a->stride, tiles);
}
