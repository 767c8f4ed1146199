#include "host/kernel.h"

KERNEL(fill)
{
    real value = *a->value;
    PARALLEL_FOR (i, a->n) {
        a->y[i] = value;
    }
}
