#include "host/kernel.h"

KERNEL(hot_names)
{
    PARALLEL_FOR (i, a->count)
        a->name[a->list[i]] = a->cols + i;
}
