#include "host/kernel.h"

#include <math.h>

KERNEL(gather_elements)
{
    PARALLEL_FOR (i, a->n)
        a->y[i] = a->index[i] < a->most ? a->x[a->index[i]] : (real)NAN;
}
