#include "host/sparse/balanced.h"

KERNEL(balanced_above)
{
    PARALLEL_FOR (t, a->n) {
        uint32_t length = stored_length(a->row, a->order[t]),
                 next = t + 1 < a->n ? stored_length(a->row, a->order[t + 1]) : 0;
        for (uint32_t k = 0; k + 1 < BALANCED_CLASSES; k++)
            if (length > BALANCED_ABOVE(k) && next <= BALANCED_ABOVE(k))
                a->above[k] = t + 1;
    }
}
