#include "host/sparse/long.h"

KERNEL(clear_reals)
{
    PARALLEL_FOR (i, a->n)
        if (!is_long(a->bits, i))
            a->y[i] = 0;
}
