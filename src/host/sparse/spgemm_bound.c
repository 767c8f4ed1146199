#include "host/kernel.h"
#include "shaders/sparse/spgemm.h"

KERNEL(spgemm_bound)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t sum = 0;
        for (uint32_t e = a->a_row[i]; e < a->a_row[i + (size_t)1]; e++)
            sum += a->b_row[a->a_col[e] + (size_t)1] - a->b_row[a->a_col[e]];
        a->bound[i] = sum;
        a->entries[i] = sum ? SPGEMM_UNKNOWN : 0;
    }
}
