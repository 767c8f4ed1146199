#include "host/solver/control.h"

KERNEL(jacobi_update)
{
    if (!alive(a->c) || a->step >= a->w->pending)
        return;
    real weight = a->w->weight;
    if (a->fixpoint)
        PARALLEL_FOR (i, a->n) {
            a->x[i] = a->q[i] + a->b[i];
        }
    else
        PARALLEL_FOR (i, a->n) {
            a->x[i] += weight * (a->d[i] * (a->b[i] - a->q[i]));
        }
}
