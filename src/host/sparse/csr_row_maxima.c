#include "host/kernel.h"

/* Part 0 does all the work, since each row has one thread. */
KERNEL(csr_row_maxima)
{
    if (a->part)
        return;
    PARALLEL_FOR (i, a->n) {
        real most = 0;
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++) {
            real m = a->val[k] < 0 ? -a->val[k] : a->val[k];
            most = m > most ? m : most; /* a NaN is ignored */
        }
        a->most[i] = most;
    }
}
