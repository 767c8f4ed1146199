#include "host/solver/control.h"

KERNEL(keep_best)
{
    if (a->c->state == STATE_MET || (isfinite(a->c->rr) && a->c->rr <= *a->least))
        return;
    PARALLEL_FOR (i, a->n) {
        a->x[i] = a->best[i];
    }
}
