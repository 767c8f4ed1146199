#include "host/solver/control.h"
#include "host/sum.h"
#include "shaders/solver/cg.h"

/* Computes rho and rr. The leader does so before its loop opens; the others read them. */
static void sum_up_residual(const struct cg_direction_args *a)
{
    uint32_t tiles = tiles_of(a->n);
    bool whole = a->comes == SUMS_WHOLE;
    a->w->rho = real_part(whole ? a->whole[0] : rest_of_stripes(a->s + a->stride, tiles));
    a->c->rr = real_part(whole ? a->whole[1] : rest_of_stripes(a->s + 2 * a->stride, tiles));
}

static void finish(const struct cg_direction_args *a)
{
    struct control *c = a->c;
    const struct cg_numbers *w = a->w;
    real rho = w->rho, rr = c->rr;
    uint32_t k = c->iteration + 1;
    if (k <= a->kept)
        a->history[k - 1] = rr;
    c->iteration = k;
    c->seen = k;
    c->state = CG_STATE_AFTER(isfinite(rr) && isfinite(rho), k, c->limit, rho, rr, c->stop, c->ceiling);
}

static void direction_tile(const struct cg_direction_args *a, real beta, uint32_t first, uint32_t length)
{
    real alpha = a->w->alpha;
    scalar_t *restrict x = a->x + first, *restrict p = a->p + first;
    const scalar_t *restrict r = a->r + first, *restrict d = a->form == FORM_EACH ? a->d + first : a->d;
    for (uint32_t j = 0; j < length; j++)
        x[j] += alpha * p[j];
    if (a->form == FORM_EACH)
        for (uint32_t j = 0; j < length; j++)
            p[j] = mul(d[j], r[j]) + beta * p[j];
    else if (a->form == FORM_ONE)
        for (uint32_t j = 0; j < length; j++)
            p[j] = mul(*d, r[j]) + beta * p[j];
    else
        for (uint32_t j = 0; j < length; j++)
            p[j] = r[j] + beta * p[j];
}

KERNEL(cg_direction)
{
    if (a->w->pending == PENDING_BREAKDOWN)
        a->c->state = isfinite(a->w->pq) ? STATE_NOT_POSITIVE : STATE_NOT_FINITE;
    if (a->w->pending != PENDING_STEP)
        return;
    if (LEADS)
        sum_up_residual(a);
    real beta = a->w->rho / a->w->rho_old;
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        direction_tile(a, beta, t * TILE, tile_length(t, a->n));
    }
    if (LEADS)
        finish(a);
}
