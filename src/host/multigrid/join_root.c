#include "host/kernel.h"
#include "shaders/multigrid/strength.h"

KERNEL(join_root)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t root = NO_AGGREGATE;
        if (a->state[i] == ROW_ROOT)
            root = i;
        for (uint32_t k = a->row[i]; k < a->row[i + 1] && root == NO_AGGREGATE; k++)
            if (a->state[a->col[k]] == ROW_ROOT)
                root = a->col[k];
        a->owner[i] = root;
        if (root != NO_AGGREGATE)
            __atomic_fetch_add(&a->size[root], 1, __ATOMIC_RELAXED);
    }
}
