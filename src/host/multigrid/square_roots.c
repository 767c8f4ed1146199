#include "host/kernel.h"

KERNEL(square_roots)
{
    PARALLEL_FOR (i, a->n)
        a->y[i] = ROOT(a->x[i]);
}
