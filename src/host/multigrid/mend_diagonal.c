#include "host/kernel.h"

KERNEL(mend_diagonal)
{
    uint32_t size = a->size;
    PARALLEL_FOR (e, a->entries)
        for (uint32_t k = 0; k < size && a->col[e] == a->rows[e]; k++) {
            real *d = a->val + (size_t)e * size * size + (size_t)(size + 1) * k;
            *d = *d == 0 ? 1 : *d;
        }
}
