#include "host/kernel.h"

KERNEL(jacobi_step)
{
    real weight = *a->weight;
    if (a->first)
        PARALLEL_FOR (i, a->n) {
            a->x[i] = weight * (a->d[i] * a->b[i]);
        }
    else
        PARALLEL_FOR (i, a->n) {
            a->x[i] += weight * (a->d[i] * (a->b[i] - a->q[i]));
        }
}
