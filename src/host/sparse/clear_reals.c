#include "host/solver/control.h"

KERNEL(clear_reals)
{
    if (a->c && !alive(a->c))
        return;
    PARALLEL_FOR (i, a->n)
        a->y[i] = 0;
}
