#include "host/kernel.h"
#include "shaders/multigrid/strength.h"

#include <string.h>

KERNEL(tentative_blocks)
{
    size_t elements = a->elements;
    PARALLEL_FOR (i, a->n) {
        uint32_t own = a->owner[i], at = a->row[i];
        a->aggregate[i] = own != NO_AGGREGATE ? a->before[own] : NO_AGGREGATE;
        if (own == NO_AGGREGATE || !a->val)
            continue;
        a->col[at] = a->before[own];
        memcpy(a->val + elements * at, a->block + elements * i, elements * sizeof *a->val);
    }
}
