#include "host/kernel.h"
#include "shaders/multigrid/strength.h"

KERNEL(tentative_ones)
{
    PARALLEL_FOR (i, a->n)
        if (a->owner[i] != NO_AGGREGATE) {
            a->col[a->row[i]] = a->before[a->owner[i]];
            a->val[a->row[i]] = 1;
        }
}
