#include "host/solver/bicgstab.h"

static void direct_tile(const struct bicgstab_direction_args *a, real beta, uint32_t first, uint32_t length)
{
    for (uint32_t k = 0; k <= a->j; k++) {
        const real *restrict r = k ? a->rest + (size_t)(k - 1) * a->n + first : a->r + first;
        real *restrict u = a->u + (size_t)k * a->n + first;
        for (uint32_t i = 0; i < length; i++)
            u[i] = r[i] - beta * u[i];
    }
    if (a->form != FORM_GIVEN)
        diagonal_tile(a->form, a->d, a->u + (size_t)a->j * a->n + first, a->z, first, length);
}

static void leave(const struct bicgstab_direction_args *a, real rho, real rr, real before, bool sound)
{
    struct bicgstab_numbers *w = a->w;
    if (a->j == 0)
        w->ended = rr;
    w->rho[a->j] = rho;
    bicgstab_decide(a->c, w, a->history, a->kept, rr, false);
    if (a->c->state != STATE_RUNNING || sound)
        return;
    bool is_finite = isfinite(rho) && isfinite(before);
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
    real rho = rest_of_stripes(a->s + BICGSTAB_RHO * a->stride, tiles);
    real rr = rest_of_stripes(a->s + BICGSTAB_RR * a->stride, tiles);
    real before = a->j == 0 ? -(w->omega * w->rho[3]) : w->rho[a->j - 1];
    real beta = w->alpha * rho / before;
    bool is_best = a->j == 0 && w->least != 0 && rr < w->least;
    FOR_TILES (t, tiles) {
        uint32_t first = t * TILE, length = tile_length(t, a->n);
        direct_tile(a, beta, first, length);
        if (is_best)
            memcpy(a->best + first, a->y + first, length * sizeof *a->y);
    }
    if (LEADS)
        leave(a, rho, rr, before, isfinite(beta) && rho != 0 && before != 0);
}
