#include "host/solver/control.h"
#include "host/sum.h"

static void finish(const struct cg_update_args *a, real alpha, real rho, real rr)
{
    struct control *c = a->c;
    struct cg_numbers *w = a->w;
    uint32_t k = c->iteration + 1;
    if (k <= a->kept)
        a->history[k - 1] = rr;
    w->beta = rho / w->rho;
    w->rho = rho;
    w->alpha = alpha * w->scale;
    w->rr = rr;
    c->iteration = k;
    c->pending = 1;
    if (!isfinite(rr) || !isfinite(rho))
        c->state = STATE_NOT_FINITE;
    else if (rr <= w->stop)
        c->state = STATE_MET;
    else if (rr > w->ceiling)
        c->state = STATE_DIVERGED;
    else if (rho <= 0)
        c->state = STATE_NOT_POSITIVE;
    else if (k >= c->limit)
        c->state = STATE_LIMIT;
}

/* r -= alpha q in a tile; the terms of r . z and r . r */
static void update_tile(const struct cg_update_args *a, real alpha, uint32_t first, uint32_t length,
                        real *restrict vz, real *restrict vr)
{
    real *restrict r = a->r + first;
    const real *restrict q = a->q + first, *restrict d = a->d + (a->jacobi ? first : 0);
    for (uint32_t j = 0; j < length; j++) {
        r[j] -= alpha * q[j];
        vr[j] = r[j] * r[j];
    }
    if (a->jacobi)
        for (uint32_t j = 0; j < length; j++)
            vz[j] = r[j] * (d[j] * r[j]);
}

KERNEL(cg_update)
{
    struct control *c = a->c;
    real pq = a->w->pq;
    bool sound = isfinite(pq) && pq > 0;
    if (!alive(c) || !sound) {
        if (alive(c))
            c->state = isfinite(pq) ? STATE_NOT_POSITIVE : STATE_NOT_FINITE;
        c->pending = 0;
        return;
    }
    real alpha = a->w->rho / pq;
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES(t, tiles) {
        uint32_t length = tile_length(t, a->n);
        real vz[TILE], vr[TILE];
        update_tile(a, alpha, t * TILE, length, vz, vr);
        a->s[a->stride + t] = tile_sum(vr, length);
        a->s[t] = a->jacobi ? tile_sum(vz, length) : a->s[a->stride + t];
    }
    real rho = total(a->s, tiles);
    finish(a, alpha, rho, total(a->s + a->stride, tiles));
}
