#include "host/kernel.h"

KERNEL(lanczos_step)
{
    real rz = a->found[0], beta = ROOT(rz), inverse = 1 / beta, alpha = a->found[1] / rz;
    PARALLEL_FOR (i, a->n) {
        real next = inverse * a->r[i], e = inverse * a->u[i] - alpha * next;
        a->r[i] = a->first ? e : e - beta * a->q[i];
        a->q[i] = next;
    }
}
