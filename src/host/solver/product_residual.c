#include "host/kernel.h"

KERNEL(product_residual)
{
    PARALLEL_FOR (i, a->n) {
        double sum = a->r[i];
        a->r[i] = a->fixpoint ? ((double)a->b[i] + sum) - (double)a->x[i] : (double)a->b[i] - sum;
    }
}
