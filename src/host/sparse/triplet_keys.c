#include "host/kernel.h"

KERNEL(triplet_keys)
{
    uint32_t last = a->rows ? a->rows - 1 : 0;
    PARALLEL_FOR (i, a->n) {
        uint32_t r = a->row[i];
        if (r >= a->rows || a->col[i] >= a->cols)
            take_least(a->fault, i);
        a->key[i] = r < last ? r : last;
        a->place[i] = i;
    }
}
