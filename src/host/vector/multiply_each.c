#include "host/kernel.h"

KERNEL(multiply_each)
{
    PARALLEL_FOR (i, a->n) {
        a->z[i] = a->d[i] * a->x[i];
    }
}
