#include "host/solver/control.h"
#include "host/sum.h"

static scalar_t check_tile(const struct jacobi_check_args *a, real inverse, uint32_t first, uint32_t length)
{
    scalar_t v[TILE];
    const scalar_t *restrict b = a->b + first, *restrict q = a->q + first, *restrict x = a->x + first;
    if (a->fixpoint)
        for (uint32_t j = 0; j < length; j++)
            v[j] = (b[j] + q[j]) - x[j];
    else
        for (uint32_t j = 0; j < length; j++)
            v[j] = b[j] - q[j];
    for (uint32_t j = 0; j < length; j++) {
        scalar_t e = v[j] * inverse;
        v[j] = mul(conj(e), e);
    }
    return tile_sum(v, length);
}

KERNEL(jacobi_check)
{
    uint32_t tiles = tiles_of(a->n);
    real inverse = 1 / a->c->scale;
    FOR_TILES (t, tiles) {
        a->s[t] = check_tile(a, inverse, t * TILE, tile_length(t, a->n));
    }
    if (LEADS)
        fold_stripes(a->s, tiles);
}
