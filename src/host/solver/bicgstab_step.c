#include "host/solver/bicgstab.h"

static void leave(const struct bicgstab_step_args *a, scalar_t gamma, scalar_t alpha, bool sound)
{
    struct bicgstab_numbers *w = a->w;
    if (a->j == 0 && (w->least == 0 || w->ended < w->least))
        w->least = w->ended;
    w->alpha = alpha;
    w->fresh = sound && a->j < BICGSTAB_L - 1;
    if (sound)
        return;
    w->pivot = gamma;
    w->fault = finite(gamma) ? BICGSTAB_NO_GAMMA : BICGSTAB_SOUND;
    a->c->state = finite(gamma) ? STATE_BREAKDOWN : STATE_NOT_FINITE;
}

static scalar_t step_tile(const struct bicgstab_step_args *a, scalar_t alpha, uint32_t first, uint32_t length)
{
    scalar_t *restrict y = a->y + first;
    for (uint32_t i = 0; i < length; i++)
        y[i] += mul(alpha, a->u[first + i]);
    for (uint32_t k = 0; k <= a->j; k++) {
        scalar_t *restrict r = k ? a->rest + (size_t)(k - 1) * a->n + first : a->r + first;
        const scalar_t *restrict u = a->u + (size_t)(k + 1) * a->n + first;
        for (uint32_t i = 0; i < length; i++)
            r[i] -= mul(alpha, u[i]);
        if (k == a->j && a->form != FORM_GIVEN)
            diagonal_tile(a->form, a->d, r, a->z, first, length);
    }
    return square_sum(a->r + first, a->weighted ? a->weight + first : NULL, length);
}

KERNEL(bicgstab_step)
{
    if (!alive(a->c))
        return;
    uint32_t tiles = tiles_of(a->n);
    scalar_t gamma = rest_of_stripes(a->s + BICGSTAB_GAMMA * a->stride, tiles);
    scalar_t alpha = divide(a->w->rho[a->j], gamma), *rr = a->s + BICGSTAB_RR * a->stride;
    bool sound = finite(gamma) && gamma != 0 && finite(alpha);
    if (sound)
        FOR_TILES (t, tiles) {
            rr[t] = step_tile(a, alpha, t * TILE, tile_length(t, a->n));
        }
    if (!LEADS)
        return;
    if (sound)
        fold_stripes(rr, tiles);
    leave(a, gamma, alpha, sound);
}
