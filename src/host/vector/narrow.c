#include "host/kernel.h"

KERNEL(narrow)
{
    double scale = *a->scale;
    PARALLEL_FOR (i, a->n) {
        a->y[i] = (real)(scale * a->x[i]);
    }
}
