#include "host/kernel.h"

KERNEL(cg_keep)
{
    PARALLEL_FOR (i, a->n) {
        real z = a->jacobi ? a->d[i] * a->r[i] : a->r[i];
        a->q[i] = a->p[i] - z;
    }
}
