#include "host/kernel.h"

KERNEL(copy_words)
{
    PARALLEL_FOR (i, a->n) {
        a->y[i] = a->x[i];
    }
}
