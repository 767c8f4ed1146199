#include "host/kernel.h"

KERNEL(scatter_elements)
{
    PARALLEL_FOR (i, a->n)
        if (a->index[i] < a->most)
            a->x[a->index[i]] = a->y[i];
}
