#include "host/kernel.h"

KERNEL(backward_errors)
{
    PARALLEL_FOR (i, a->n) {
        real magnitude = (real)fabs(a->r[i]);
        a->error[i] = magnitude == 0 ? magnitude : magnitude / a->y[i];
    }
}
