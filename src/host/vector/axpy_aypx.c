#include "host/kernel.h"

KERNEL(axpy_aypx)
{
    real alpha = *a->alpha, beta = *a->beta;
    PARALLEL_FOR (i, a->n) {
        real e = a->x[i];
        a->y[i] += alpha * e;
        a->x[i] = a->z[i] + beta * e;
    }
}
