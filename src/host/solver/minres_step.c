#include "host/solver/control.h"
#include "host/sum.h"
#include "shaders/solver/course_state.glsl"
#include "shaders/solver/minres.h"
#include "shaders/solver/minres_rotation.glsl"

static bool has_slope(const struct minres_step_args *a, const rotation *o)
{
    return o->slope > a->w->least * o->size;
}

static void end(const struct minres_step_args *a, real vz, bool is_finite)
{
    a->c->state = !is_finite ? STATE_NOT_FINITE : vz < 0 ? STATE_NOT_POSITIVE : STATE_NO_SOLUTION;
}

static void go_on(const struct minres_step_args *a, const minres_turn *t, const rotation *o)
{
    struct minres_numbers *w = a->w;
    real eta = -(o->s * t->eta), rr = (eta * eta) * w->share;
    course now = course_after(course(w->marked, w->since), rr);
    w->turn[1 - a->turn] = (minres_turn){.gamma = o->gamma,
                                         .gamma_old = t->gamma,
                                         .c = o->c,
                                         .c_old = t->c,
                                         .s = o->s,
                                         .s_old = t->s,
                                         .eta = eta,
                                         .size = o->size};
    w->marked = now.marked;
    w->since = now.since;
    count_iteration(a->c, a->history, a->kept, rr);
    a->c->rr = rr;
    a->c->state = course_state(a->c, a->c->iteration, rr, now, (real)MINRES_GROWTH, MINRES_PATIENCE);
}

static void step_tile(const struct minres_step_args *a, const minres_turn *t, const rotation *o,
                      uint32_t first, uint32_t length)
{
    real over = 1 / t->gamma, share = 1 / o->alpha_1, tau = o->c * t->eta;
    scalar_t *restrict x = a->x + first, *restrict old = a->old + first;
    const scalar_t *restrict z = a->z + first, *restrict p = a->p + first;
    for (uint32_t j = 0; j < length; j++) {
        old[j] = (over * z[j] - o->alpha_3 * old[j] - o->alpha_2 * p[j]) * share;
        x[j] += tau * old[j];
    }
}

KERNEL(minres_step)
{
    struct minres_numbers *w = a->w;
    uint32_t tiles = tiles_of(a->n);
    if (!w->pending)
        return;
    const minres_turn t = w->turn[a->turn];
    real delta = w->delta, vz = real_part(rest_of_stripes(a->s + MINRES_VZ * a->stride, tiles));
    rotation o = rotate(t, delta, vz);
    bool is_finite = isfinite(vz) && isfinite(delta), sound = is_finite && vz >= 0 && has_slope(a, &o);
    if (sound)
        FOR_TILES (k, tiles) {
            step_tile(a, &t, &o, k * TILE, tile_length(k, a->n));
        }
    if (!LEADS)
        return;
    w->square = vz;
    w->slope = o.slope;
    w->size = o.size;
    if (sound)
        go_on(a, &t, &o);
    else
        end(a, vz, is_finite);
}
