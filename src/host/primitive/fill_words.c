#include "host/kernel.h"

KERNEL(fill_words)
{
    if (a->words == 2) {
        uint64_t *wide = (uint64_t *)(void *)a->y, pair = (uint64_t)a->high << 32 | a->low;
        PARALLEL_FOR (i, a->n) {
            wide[i] = pair;
        }
    } else {
        PARALLEL_FOR (i, a->n) {
            a->y[i] = a->low;
        }
    }
}
