#include "host/kernel.h"

KERNEL(widen)
{
    PARALLEL_FOR (i, a->n) {
        a->y[i] = a->x[i];
    }
}
