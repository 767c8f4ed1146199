#include "host/kernel.h"

KERNEL(gather_reals)
{
    PARALLEL_FOR (i, a->n)
        a->to[i] = a->from[a->place[i]];
}
