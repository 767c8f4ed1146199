#include "host/kernel.h"
#include "shaders/multigrid/strength.h"

KERNEL(aggregate_flags)
{
    PARALLEL_FOR (i, a->n) {
        a->root[i] = a->owner[i] == i;
        a->member[i] = a->owner[i] != NO_AGGREGATE;
    }
}
