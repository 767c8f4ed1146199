#include "host/solver/control.h"
#include "host/sum.h"
#include "shaders/solver/lsmr.h"

static uint32_t state_after(const struct control *c, const struct lsmr_numbers *w)
{
    if (w->fault != LSMR_SOUND)
        return w->fault == LSMR_NO_PIVOT ? STATE_BREAKDOWN : STATE_NOT_FINITE;
    if (w->next.rr <= c->stop || w->next.normal <= w->goal)
        return STATE_MET;
    return c->iteration >= c->limit ? STATE_LIMIT : STATE_RUNNING;
}

KERNEL(lsmr_left)
{
    struct lsmr_numbers *w = a->w;
    if (!alive(a->c))
        return;
    uint32_t tiles = tiles_of(a->n), state = state_after(a->c, w);
    real factor = w->beta > 0 ? w->next.alpha / w->beta : 0;
    scalar_t *s = a->s + LSMR_U * a->stride;
    if (state == STATE_RUNNING)
        FOR_TILES (t, tiles) {
            uint32_t first = t * TILE, length = tile_length(t, a->n);
            scalar_t *restrict u = a->u + first;
            for (uint32_t j = 0; j < length; j++)
                u[j] = a->q[first + j] - factor * u[j];
            s[t] = tile_dot(u, u, length);
        }
    if (!LEADS)
        return;
    if (state == STATE_RUNNING)
        fold_stripes(s, tiles);
    a->c->state = state;
    w->now = w->next;
}
