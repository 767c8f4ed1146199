#include "host/kernel.h"

KERNEL(divide_each)
{
    PARALLEL_FOR (i, a->n) {
        a->z[i] = a->x[i] / a->y[i];
    }
}
