#include "host/multigrid/round.h"

KERNEL(root_near)
{
    uint32_t rows = a->left[0] ? a->n : 0;
    PARALLEL_FOR (i, rows) {
        uint32_t largest = 0;
        if (a->near[i] == 0 || a->near[i] == KEY_ROOT)
            continue;
        for (uint32_t k = a->row[i]; k < a->row[i + 1] && largest < KEY_ROOT; k++) {
            uint32_t j = a->col[k], s = a->state[j];
            uint32_t key = s == ROW_ROOT ? KEY_ROOT : s == ROW_OUT ? 0 : key_of(j, a->round);
            largest = key > largest ? key : largest;
        }
        a->near[i] = largest;
    }
}
