#include "host/kernel.h"

KERNEL(widen_add)
{
    double scale = *a->scale;
    PARALLEL_FOR (i, a->n) {
        a->y[i] += scale * (double)a->x[i];
        a->x[i] = 0;
    }
}
