#include "host/solver/control.h"
#include "host/sum.h"
#include "shaders/solver/jacobi.h"

/* last: r . r of the previous check */
static void note(struct jacobi_numbers *w, real rr, real last)
{
    if (w->old == 0) {
        w->older = w->old = w->least = rr;
        w->age = w->span = w->calm = w->growing = 0;
        return;
    }
    if (w->pending == 0)
        return;
    w->growing = rr > last ? w->growing + 1 : 0;
    w->calm = rr < w->least ? 0 : w->calm + 1;
    w->least = rr < w->least ? rr : w->least;
    if (w->age == JACOBI_ANCHOR) {
        w->older = w->old;
        w->old = last;
        w->age = 0;
        w->span = JACOBI_ANCHOR * JACOBI_SWEEP;
    }
    w->age += 1;
    w->span += (real)w->pending;
}

static uint32_t state_after(const struct control *c, const struct jacobi_numbers *w, real rr)
{
    if (!isfinite(rr))
        return c->iteration == 0 ? STATE_NOT_FINITE : STATE_DIVERGED;
    if (rr <= c->stop)
        return STATE_MET;
    if (rr > c->ceiling || w->growing >= (real)JACOBI_GROWING)
        return STATE_DIVERGED;
    if (w->calm >= (real)JACOBI_CALM && rr <= (real)JACOBI_HUMP * w->least)
        return STATE_STAGNATED;
    return c->iteration >= c->limit ? STATE_LIMIT : STATE_RUNNING;
}

KERNEL(jacobi_decide)
{
    struct control *c = a->c;
    struct jacobi_numbers *w = a->w;
    if (!alive(c))
        return;
    real rr = real_part(rest_of_stripes(a->s, tiles_of(a->n)));
    uint32_t k = c->iteration / JACOBI_SWEEP + (c->iteration % JACOBI_SWEEP != 0);
    if (k > 0 && k <= a->kept)
        a->history[k - 1] = rr;
    note(w, rr, c->rr);
    c->rr = rr;
    c->seen = k;
    c->state = state_after(c, w, rr);
    uint32_t left = c->limit - c->iteration;
    w->pending = c->state != STATE_RUNNING ? 0 : left < JACOBI_SWEEP ? left : JACOBI_SWEEP;
    c->iteration += w->pending;
}
