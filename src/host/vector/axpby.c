#include "host/kernel.h"

KERNEL(axpby)
{
    real alpha = *a->alpha, beta = *a->beta;
    PARALLEL_FOR (i, a->n) {
        a->y[i] = alpha * a->x[i] + beta * a->y[i];
    }
}
