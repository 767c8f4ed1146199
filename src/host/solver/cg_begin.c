#include "host/solver/control.h"
#include "shaders/solver/cg.h"

KERNEL(cg_begin)
{
    struct control *c = a->c;
    struct cg_numbers *w = a->w;
    if (!LEADS)
        return;
    real rho = real_part(a->whole[0]), rr = real_part(a->whole[1]);
    w->rho = rho;
    w->pending = PENDING_NOTHING;
    c->rr = rr;
    c->state =
        CG_STATE_AFTER(isfinite(rr) && isfinite(rho), c->iteration, c->limit, rho, rr, c->stop, c->ceiling);
}
