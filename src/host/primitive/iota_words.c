#include "host/kernel.h"

KERNEL(iota_words)
{
    PARALLEL_FOR (i, a->n)
        a->y[i] = a->step * i;
}
