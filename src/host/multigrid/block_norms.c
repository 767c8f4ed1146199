#include "host/kernel.h"

KERNEL(block_norms)
{
    uint32_t size = a->size * a->size;
    PARALLEL_FOR (e, a->entries) {
        const real *block = a->val + (size_t)size * e;
        real sum = 0;
        for (uint32_t k = 0; k < size; k++)
            sum += block[k] * block[k];
        a->norm[e] = ROOT(sum);
        if (a->col[e] == a->rows[e])
            a->inverse[a->rows[e]] = 1 / a->norm[e];
    }
}
