#include "host/solver/control.h"
#include "host/sum.h"
#include "shaders/solver/cg.h"

/* r -= alpha q in a tile; the terms of r . z and r . r */
static void update_tile(const struct cg_update_args *a, real alpha, uint32_t first, uint32_t length,
                        scalar_t *restrict vz, scalar_t *restrict vr)
{
    scalar_t *restrict r = a->r + first;
    const scalar_t *restrict q = a->q + first, *restrict d = a->form == FORM_EACH ? a->d + first : a->d;
    for (uint32_t j = 0; j < length; j++) {
        r[j] -= alpha * q[j];
        vr[j] = mul(conj(r[j]), r[j]);
    }
    if (a->form == FORM_EACH)
        for (uint32_t j = 0; j < length; j++)
            vz[j] = mul(conj(r[j]), mul(d[j], r[j]));
    else if (a->form == FORM_ONE)
        for (uint32_t j = 0; j < length; j++)
            vz[j] = mul(conj(r[j]), mul(*d, r[j]));
}

static void update(const struct cg_update_args *a, real alpha, struct member *me)
{
    uint32_t tiles = tiles_of(a->n);
    scalar_t *rho = a->s + a->stride, *rr = rho + a->stride;
    FOR_TILES (t, tiles) {
        uint32_t length = tile_length(t, a->n);
        scalar_t vz[TILE], vr[TILE];
        update_tile(a, alpha, t * TILE, length, vz, vr);
        rr[t] = tile_sum(vr, length);
        rho[t] = a->form == FORM_EACH || a->form == FORM_ONE ? tile_sum(vz, length) : rr[t];
    }
    if (LEADS) {
        fold_stripes(rho, tiles);
        fold_stripes(rr, tiles);
    }
}

/* p . q from its tile sums. The leader computes and stores it before its loop; the others read it. */
static real sum_of_pq(const struct cg_update_args *a, const struct member *me)
{
    uint32_t tiles = tiles_of(a->n);
    if (!LEADS)
        return a->w->pq;
    if (a->comes == SUMS_WHOLE)
        return real_part(*a->whole);
    return real_part(a->comes == SUMS_IN_STRIPES ? rest_of_stripes(a->s, tiles) : rest_of_tiles(a->s, tiles));
}

KERNEL(cg_update)
{
    struct control *c = a->c;
    struct cg_numbers *w = a->w;
    if (!alive(c)) {
        w->pending = PENDING_NOTHING;
        return;
    }
    real pq = sum_of_pq(a, me), alpha = w->rho / pq;
    bool sound = isfinite(pq) && pq > 0;
    if (LEADS) {
        w->pq = pq;
        w->alpha = alpha * c->scale;
        w->rho_old = w->rho;
        w->pending = sound ? PENDING_STEP : PENDING_BREAKDOWN;
    }
    if (sound)
        update(a, alpha, me);
}
