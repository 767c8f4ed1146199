#include "host/kernel.h"

KERNEL(csr_drop_flags)
{
    PARALLEL_FOR (i, a->n) {
        real limit = *a->below_most * a->most[i];
        for (uint32_t e = a->row[i]; e < a->row[i + 1]; e++) {
            real m = a->val[e] < 0 ? -a->val[e] : a->val[e];
            a->flag[e] = !(m == 0 || m < limit) || a->col[e] == i; /* comparisons with NaN keep the entry */
        }
    }
}
