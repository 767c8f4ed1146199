#include "host/kernel.h"

KERNEL(csr_add_rest)
{
    real beta = a->factors[1];
    PARALLEL_FOR (i, a->n) {
        uint32_t k = a->row[i], end = a->row[i + 1];
        for (uint32_t e = a->b_row[i]; e < a->b_row[i + 1]; e++) {
            while (k < end && a->col[k] < a->b_col[e])
                k++;
            if (a->before[e + (size_t)1] == a->before[e])
                continue;
            a->to_col[a->before[e] + k] = a->b_col[e];
            a->to_val[a->before[e] + k] = beta * a->b_val[e];
        }
    }
}
