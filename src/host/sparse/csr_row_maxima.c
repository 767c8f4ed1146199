#include "host/kernel.h"

/* Whole in part 0: a row is one thread's. */
KERNEL(csr_row_maxima)
{
    if (a->part)
        return;
    PARALLEL_FOR (i, a->n) {
        real most = 0;
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++) {
            real m = a->val[k] < 0 ? -a->val[k] : a->val[k];
            most = m > most ? m : most; /* a NaN is not */
        }
        a->most[i] = most;
    }
}
