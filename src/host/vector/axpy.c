#include "host/kernel.h"

KERNEL(axpy)
{
    real alpha = *a->alpha;
    PARALLEL_FOR (i, a->n) {
        a->y[i] += alpha * a->x[i];
    }
}
