#include "host/kernel.h"

KERNEL(mark_firsts)
{
    PARALLEL_FOR (i, a->n)
        a->flag[i] = i == 0 || a->x[i] != a->x[i - 1] || a->y[i] != a->y[i - 1];
}
