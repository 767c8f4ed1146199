#include "host/kernel.h"

KERNEL(copy)
{
    PARALLEL_FOR (i, a->n) {
        a->y[i] = a->x[i];
    }
}
