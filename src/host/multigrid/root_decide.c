#include "host/multigrid/round.h"

KERNEL(root_decide)
{
    uint32_t rows = a->left[0] ? a->n : 0;
    bool stays = false;
    PARALLEL_FOR (i, rows) {
        uint32_t begin = a->row[i], end = a->row[i + 1], largest = 0;
        if (a->state[i] != ROW_UNDECIDED)
            continue;
        for (uint32_t k = begin; k < end; k++)
            largest = a->near[a->col[k]] > largest ? a->near[a->col[k]] : largest;
        if (end - begin == 1 || largest == KEY_ROOT)
            a->state[i] = ROW_OUT;
        else if (largest == key_of(i, a->round))
            a->state[i] = ROW_ROOT;
        else
            stays = true;
    }
    if (stays)
        __atomic_store_n(&a->left[1], 1, __ATOMIC_RELAXED);
}
