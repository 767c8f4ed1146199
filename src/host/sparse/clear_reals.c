#include "host/solver/control.h"
#include "host/sparse/long.h"

KERNEL(clear_reals)
{
    if (a->c && !alive(a->c))
        return;
    PARALLEL_FOR (i, a->n)
        if (!is_long(a->bits, i))
            a->y[i] = 0;
}
