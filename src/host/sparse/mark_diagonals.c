#include "host/kernel.h"

static void mark(uint32_t *bits, uint32_t off)
{
    uint32_t bit = 1u << off % 32, *word = &bits[off / 32];
    if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit))
        __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
}

KERNEL(mark_diagonals)
{
    PARALLEL_FOR (i, a->n) {
        for (uint32_t k = a->row[i]; k < a->row[i + (size_t)1]; k++) {
            uint32_t c = a->col[k];
            mark(c < i ? a->lower : a->upper, c < i ? i - c : c - i);
        }
    }
}
