#include "host/solver/bicgstab.h"

static void direct_tile(const struct bicgstab_direction_args *a, scalar_t beta, uint32_t first,
                        uint32_t length)
{
    for (uint32_t k = 0; k <= a->j; k++) {
        const scalar_t *restrict r = k ? a->rest + (size_t)(k - 1) * a->n + first : a->r + first;
        scalar_t *restrict u = a->u + (size_t)k * a->n + first;
        for (uint32_t i = 0; i < length; i++)
            u[i] = r[i] - mul(beta, u[i]);
    }
    if (a->form != FORM_GIVEN)
        diagonal_tile(a->form, a->d, a->u + (size_t)a->j * a->n + first, a->z, first, length);
}

static void leave(const struct bicgstab_direction_args *a, scalar_t rho, real rr, scalar_t before, bool sound)
{
    struct bicgstab_numbers *w = a->w;
    if (a->j == 0)
        w->ended = rr;
    w->rho[a->j] = rho;
    bicgstab_decide(a->c, w, a->history, a->kept, rr, false);
    if (a->c->state != STATE_RUNNING || sound)
        return;
    bool is_finite = finite(rho) && finite(before);
    w->pivot = rho;
    w->fault = !is_finite ? BICGSTAB_SOUND : before == 0 ? BICGSTAB_NO_OMEGA : BICGSTAB_NO_RHO;
    a->c->state = is_finite ? STATE_BREAKDOWN : STATE_NOT_FINITE;
}

KERNEL(bicgstab_direction)
{
    const struct bicgstab_numbers *w = a->w;
    uint32_t tiles = tiles_of(a->n);
    if (!alive(a->c))
        return;
    scalar_t rho = rest_of_stripes(a->s + BICGSTAB_RHO * a->stride, tiles);
    real rr = real_part(rest_of_stripes(a->s + BICGSTAB_RR * a->stride, tiles));
    scalar_t before = a->j == 0 ? -mul(w->omega, w->rho[3]) : w->rho[a->j - 1];
    scalar_t beta = divide(mul(w->alpha, rho), before);
    bool is_best = a->j == 0 && w->least != 0 && rr < w->least;
    FOR_TILES (t, tiles) {
        uint32_t first = t * TILE, length = tile_length(t, a->n);
        direct_tile(a, beta, first, length);
        if (is_best)
            memcpy(a->best + first, a->y + first, length * sizeof *a->y);
    }
    if (LEADS)
        leave(a, rho, rr, before, finite(beta) && rho != 0 && before != 0);
}
