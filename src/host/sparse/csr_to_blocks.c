#include "host/kernel.h"

KERNEL(csr_to_blocks)
{
    uint32_t size = a->size;
    PARALLEL_FOR (i, a->n) {
        uint32_t q = a->b_row[i / size];
        for (uint32_t e = a->row[i]; e < a->row[i + (size_t)1]; e++) {
            while (a->b_col[q] < a->col[e] / size)
                q++;
            a->b_val[((size_t)q * size + i % size) * size + a->col[e] % size] = a->val[e];
        }
    }
}
