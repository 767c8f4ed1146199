#include "host/pairs.h"

KERNEL(pairs_add)
{
    float scale = a->scale->high, *x = (float *)a->x;
    PARALLEL_FOR (i, a->n) {
        a->y[i] = pair_plus_part(a->y[i], scale * x[i]);
        x[i] = 0;
    }
}
