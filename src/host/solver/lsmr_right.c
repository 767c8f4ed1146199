#include "host/solver/control.h"
#include "host/sum.h"
#include "shaders/solver/lsmr.h"

static scalar_t right_tile(const struct lsmr_right_args *a, real to_p, real to_v, uint32_t first,
                           uint32_t length)
{
    const scalar_t *restrict p = a->p + first;
    const real *restrict scale = a->scale + first;
    scalar_t *restrict v = a->v + first;
    for (uint32_t j = 0; j < length; j++)
        v[j] = to_p * (scale[j] * p[j]) - to_v * (a->first ? 0 : v[j]);
    return tile_dot(v, v, length);
}

KERNEL(lsmr_right)
{
    if (!alive(a->c))
        return;
    uint32_t tiles = tiles_of(a->n);
    real beta = ROOT(real_part(rest_of_stripes(a->s + LSMR_U * a->stride, tiles_of(a->m))));
    real alpha = a->first ? 0 : a->w->now.alpha;
    scalar_t *s = a->s + LSMR_V * a->stride;
    real to_p = beta > 0 ? 1 / beta : 0, to_v = alpha > 0 ? beta / alpha : 0;
    FOR_TILES (t, tiles) {
        s[t] = right_tile(a, to_p, to_v, t * TILE, tile_length(t, a->n));
    }
    if (!LEADS)
        return;
    fold_stripes(s, tiles);
    a->w->beta = beta;
}
