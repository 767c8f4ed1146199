#include "host/kernel.h"

static void first_triplet(uint32_t *fault, uint32_t i)
{
    PRAGMA(omp critical(triplet_keys))
    if (i < *fault)
        *fault = i;
}

KERNEL(triplet_keys)
{
    uint32_t last = a->rows ? a->rows - 1 : 0;
    PARALLEL_FOR (i, a->n) {
        uint32_t r = a->row[i];
        if (r >= a->rows || a->col[i] >= a->cols)
            first_triplet(a->fault, i);
        a->key[i] = r < last ? r : last;
        a->place[i] = i;
    }
}
