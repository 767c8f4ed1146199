#include "host/kernel.h"

KERNEL(lower_bounds)
{
    PARALLEL_FOR (i, a->count) {
        uint64_t limit = (uint64_t)i << a->shift;
        uint32_t from = 0, to = a->n;
        while (from < to) {
            uint32_t middle = from + (to - from) / 2;
            if (a->keys[middle] < limit)
                from = middle + 1;
            else
                to = middle;
        }
        a->bound[i] = from;
    }
}
