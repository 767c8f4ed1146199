#include "host/kernel.h"

KERNEL(chebyshev_step)
{
    real w = *a->weight;
    PARALLEL_FOR (i, a->n) {
        real t = a->from_zero ? a->b[i] : a->b[i] - a->q[i];
        real change = w * (a->d[a->varies ? i : 0] * t);
        a->x[i] = a->from_zero ? change : a->x[i] + change;
    }
}
