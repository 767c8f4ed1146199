#include "host/kernel.h"

KERNEL(scale_each)
{
    real w = *a->weight;
    PARALLEL_FOR (i, a->n) {
        a->z[i] = w * (a->d[a->varies ? i : 0] * a->x[i]);
    }
}
