#include "host/solver/control.h"
#include "host/sum.h"
#include "shaders/solver/cg.h"

static void finish(const struct cg_start_args *a, real rho, real rr)
{
    struct control *c = a->c;
    struct cg_numbers *w = a->w;
    w->rho = rho;
    w->pending = PENDING_NOTHING;
    c->rr = rr;
    c->state =
        CG_STATE_AFTER(isfinite(rr) && isfinite(rho), c->iteration, c->limit, rho, rr, c->stop, c->ceiling);
}

KERNEL(cg_start)
{
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        uint32_t length = tile_length(t, a->n), first = t * TILE;
        scalar_t vz[TILE], vr[TILE];
        for (uint32_t j = 0; j < length; j++) {
            scalar_t r = a->r[first + j];
            scalar_t z = a->form == FORM_GIVEN  ? a->p[first + j]
                         : a->form == FORM_EACH ? mul(a->d[first + j], r)
                                                : r;
            a->p[first + j] = z;
            vz[j] = mul(conj(r), z);
            vr[j] = mul(conj(r), r);
        }
        a->s[a->stride + t] = tile_sum(vz, length);
        a->s[2 * a->stride + t] = tile_sum(vr, length);
    }
    if (!LEADS)
        return;
    real rho = real_part(sum_up(a->s + a->stride, tiles));
    finish(a, rho, real_part(sum_up(a->s + 2 * a->stride, tiles)));
}
