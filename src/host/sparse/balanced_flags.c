#include "host/sparse/balanced.h"

KERNEL(balanced_flags)
{
    PARALLEL_FOR (i, a->n) {
        a->flag[i] = is_alone(a->row, i);
        a->flag[a->n + i] = is_shared(a->row, i) && (i == 0 || !follows(a->row, i));
    }
}
