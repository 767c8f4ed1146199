#include "host/kernel.h"

KERNEL(reciprocals)
{
    PARALLEL_FOR (i, a->n)
        a->y[i] = 1 / a->x[i];
}
