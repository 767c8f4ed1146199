#include "host/kernel.h"

KERNEL(subtract)
{
    real alpha = *a->alpha;
    PARALLEL_FOR (i, a->n) {
        a->y[i] -= alpha * a->x[i];
    }
}
