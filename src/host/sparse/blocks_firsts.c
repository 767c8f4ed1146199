#include "host/kernel.h"

KERNEL(blocks_firsts)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t before = UINT32_MAX; /* no block column yet */
        for (uint32_t e = a->row[i]; e < a->row[i + (size_t)1]; e++) {
            a->block[e] = a->col[e] / a->size;
            a->first[e] = a->block[e] != before;
            before = a->block[e];
        }
    }
}
