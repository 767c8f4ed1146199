#include "device/search.h"
#include "host/kernel.h"

KERNEL(lower_bounds)
{
    PARALLEL_FOR (i, a->count)
        a->bound[i] = first_not_below(a->keys, 0, a->n, (uint64_t)i << a->shift);
}
