#include "host/solver/control.h"
#include "shaders/solver/cg.h"

KERNEL(cg_ghosts)
{
    if (a->w->pending != PENDING_STEP)
        return;
    real beta = a->w->rho / a->w->rho_old;
    PARALLEL_FOR (i, a->n) {
        real *p = &a->p[i < a->before ? i : i + a->own];
        *p = a->z[i] + beta * *p;
    }
}
