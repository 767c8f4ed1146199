#include "host/solver/idr.h"

static scalar_t omega_of(real tt, scalar_t tr, real rr)
{
    scalar_t omega = divide(tr, tt);
    real cosine = (tr < 0 ? -tr : tr) / (ROOT(tt) * ROOT(rr));
    return cosine < (real)IDR_COSINE ? omega * ((real)IDR_COSINE / cosine) : omega;
}

static void leave(const struct idr_end_args *a, real tt, scalar_t tr, scalar_t omega, bool sound)
{
    struct idr_numbers *w = a->w;
    bool is_finite = finite(tt) && finite(tr);
    w->omega = omega;
    if (sound) {
        w->fresh = 1;
        return;
    }
    w->pivot = tr;
    w->square = tt;
    w->fault = is_finite ? IDR_NO_STEP : IDR_SOUND;
    a->c->state = is_finite ? STATE_BREAKDOWN : STATE_NOT_FINITE;
}

static void end_tile(const struct idr_end_args *a, scalar_t omega, uint32_t first, uint32_t length)
{
    scalar_t *restrict r = a->r + first, *restrict x = a->x + first;
    const scalar_t *restrict t = a->t + first, *restrict z = a->z + first;
    for (uint32_t j = 0; j < length; j++) {
        r[j] -= mul(omega, t[j]);
        x[j] += mul(omega, z[j]);
    }
}

KERNEL(idr_end)
{
    if (!alive(a->c))
        return;
    uint32_t tiles = tiles_of(a->n);
    scalar_t total[3];
    rest_of_rows(a->s + IDR_MINIMUM * a->stride, tiles, a->stride, 3, total);
    scalar_t omega = omega_of(real_part(total[0]), total[1], real_part(total[2]));
    bool sound = finite(omega) && omega != 0;
    if (sound)
        FOR_TILES (t, tiles) {
            uint32_t first = t * TILE, length = tile_length(t, a->n);
            end_tile(a, omega, first, length);
            a->s[t] = square_sum(a->r + first, a->weighted ? a->weight + first : NULL, length);
            shadow_sums(a->w, a->r + first, first, length, a->n, a->s + IDR_SHADOW * a->stride + t,
                        a->stride);
        }
    if (!LEADS)
        return;
    if (sound)
        fold_rows(a->s, tiles, a->stride, 1 + IDR_S);
    leave(a, real_part(total[0]), total[1], omega, sound);
}
