#include "host/kernel.h"

KERNEL(csr_add)
{
    real alpha = a->factors[0], beta = a->factors[1];
    PARALLEL_FOR (i, a->n) {
        uint32_t k = a->b_row[i], end = a->b_row[i + 1];
        for (uint32_t e = a->row[i]; e < a->row[i + 1]; e++) {
            while (k < end && a->b_col[k] < a->col[e])
                k++;
            uint32_t to = e + a->before[k];
            real v = alpha * a->val[e];
            if (k < end && a->b_col[k] == a->col[e])
                v += beta * a->b_val[k];
            a->to_col[to] = a->col[e];
            a->to_val[to] = v;
        }
    }
}
