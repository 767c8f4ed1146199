#include "host/solver/control.h"
#include "host/sum.h"

static uint32_t state_after(const struct control *c, uint32_t k, real rr)
{
    if (!isfinite(rr))
        return k == 1 ? STATE_NOT_FINITE : STATE_DIVERGED;
    if (rr <= c->stop)
        return STATE_MET;
    if (rr > c->ceiling)
        return STATE_DIVERGED;
    return k >= c->limit ? STATE_LIMIT : STATE_RUNNING;
}

KERNEL(richardson_decide)
{
    struct control *c = a->c;
    if (!alive(c))
        return;
    real rr = real_part(rest_of_stripes(a->s, tiles_of(a->n)));
    uint32_t k = c->iteration + 1;
    if (k <= a->kept)
        a->history[k - 1] = rr;
    c->rr = rr;
    c->iteration = k;
    c->seen = k;
    c->state = state_after(c, k, rr);
}
