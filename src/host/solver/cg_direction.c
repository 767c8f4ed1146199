#include "host/solver/control.h"
#include "host/sum.h"

/* rho and rr from their stripe sums. The leader does so before its loop is open; the others read them. */
static void sum_up_residual(const struct cg_direction_args *a)
{
    uint32_t tiles = tiles_of(a->n);
    a->w->rho = rest_of_stripes(a->s + a->stride, tiles);
    a->w->rr = rest_of_stripes(a->s + 2 * a->stride, tiles);
}

static void finish(const struct cg_direction_args *a)
{
    struct control *c = a->c;
    const struct cg_numbers *w = a->w;
    real rho = w->rho, rr = w->rr;
    uint32_t k = c->iteration + 1;
    if (k <= a->kept)
        a->history[k - 1] = rr;
    c->iteration = k;
    if (!isfinite(rr) || !isfinite(rho))
        c->state = STATE_NOT_FINITE;
    else if (rr <= w->stop)
        c->state = STATE_MET;
    else if (rr > w->ceiling)
        c->state = STATE_DIVERGED;
    else if (rho < 0)
        c->state = STATE_NOT_POSITIVE;
    else if (rho == 0)
        c->state = STATE_MET;
    else if (k >= c->limit)
        c->state = STATE_LIMIT;
}

static void direction_tile(const struct cg_direction_args *a, real beta, uint32_t first, uint32_t length)
{
    real alpha = a->w->alpha;
    real *restrict x = a->x + first, *restrict p = a->p + first;
    const real *restrict r = a->r + first, *restrict d = a->d + (a->jacobi == 1 ? first : 0);
    for (uint32_t j = 0; j < length; j++)
        x[j] += alpha * p[j];
    if (a->jacobi == 1)
        for (uint32_t j = 0; j < length; j++)
            p[j] = d[j] * r[j] + beta * p[j];
    else if (a->jacobi == 2)
        for (uint32_t j = 0; j < length; j++)
            p[j] = *d * r[j] + beta * p[j];
    else
        for (uint32_t j = 0; j < length; j++)
            p[j] = r[j] + beta * p[j];
}

KERNEL(cg_direction)
{
    if (a->c->pending == PENDING_BREAKDOWN)
        a->c->state = isfinite(a->w->pq) ? STATE_NOT_POSITIVE : STATE_NOT_FINITE;
    if (a->c->pending != PENDING_STEP)
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
