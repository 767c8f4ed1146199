#include "host/kernel.h"

KERNEL(csr_add_flags)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t k = a->row[i], end = a->row[i + 1];
        for (uint32_t e = a->b_row[i]; e < a->b_row[i + 1]; e++) {
            while (k < end && a->col[k] < a->b_col[e])
                k++;
            a->flag[e] = k == end || a->col[k] != a->b_col[e];
        }
    }
}
