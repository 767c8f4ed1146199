#include "host/kernel.h"

/* The atomic operation stands alone on a pointer and a value: under UBSan gcc 12 drops the atomic in larger
 * expressions. */
KERNEL(mark_heads)
{
    PARALLEL_FOR (i, a->count) {
        uint32_t at = a->offset[i];
        if (at < a->n) {
            uint32_t *word = a->bits + at / 32, bit = 1u << at % 32;
            __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
        }
    }
}
