#include "host/solver/control.h"
#include "host/sum.h"
#include "shaders/solver/course_state.glsl"
#include "shaders/solver/lsmr.h"
#include "shaders/solver/lsmr_rotation.glsl"

static void leave(const struct lsmr_step_args *a, const lsmr_scalars *next, uint32_t fault)
{
    a->w->fault = (real)fault;
    a->w->next = *next;
    if (fault != LSMR_SOUND)
        return;
    a->w->normal = next->normal;
    a->c->rr = next->rr;
    if (!a->first)
        count_iteration(a->c, a->history, a->kept, next->rr);
}

static void step_tile(const struct lsmr_step_args *a, const rotation *o, real to_v, real to_x, uint32_t first,
                      uint32_t length)
{
    const scalar_t *restrict v = a->v + first;
    const real *restrict scale = a->scale + first;
    scalar_t *restrict h = a->h + first, *restrict hbar = a->hbar + first;
    scalar_t *restrict p = a->p + first, *restrict x = a->x + first;
    for (uint32_t j = 0; j < length; j++) {
        scalar_t e = to_v * v[j], b = 0, d = e;
        if (!a->first) {
            b = h[j] - o->to_hbar * hbar[j];
            d = e - o->to_h * h[j];
            x[j] += to_x * (scale[j] * b);
        }
        hbar[j] = b;
        h[j] = d;
        p[j] = scale[j] * e;
    }
}

KERNEL(lsmr_step)
{
    struct lsmr_numbers *w = a->w;
    if (!alive(a->c))
        return;
    uint32_t tiles = tiles_of(a->n);
    real alpha = ROOT(real_part(rest_of_stripes(a->s + LSMR_V * a->stride, tiles))), beta = w->beta;
    rotation o = a->first ? first_rotation(alpha, beta) : rotated(w->now, alpha, beta);
    o.next.normal = normal_of(o.next, *a->size);
    uint32_t fault = fault_of(a->first, alpha, beta, o);
    real to_v = alpha > 0 ? 1 / alpha : 0, to_x = o.to_x * a->c->scale;
    if (fault == LSMR_SOUND)
        FOR_TILES (t, tiles) {
            step_tile(a, &o, to_v, to_x, t * TILE, tile_length(t, a->n));
        }
    if (LEADS)
        leave(a, &o.next, fault);
}
