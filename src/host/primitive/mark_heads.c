#include "host/kernel.h"

KERNEL(mark_heads)
{
    PARALLEL_FOR (i, a->count) {
        uint32_t at = a->offset[i];
        if (at < a->n) {
            PRAGMA(omp atomic)
            a->bits[at / 32] |= 1u << at % 32;
        }
    }
}
