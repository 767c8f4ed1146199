#include "host/kernel.h"

KERNEL(csr_add_rows)
{
    PARALLEL_FOR (i, a->n + 1) {
        a->to[i] = a->row[i] + a->before[a->b_row[i]];
    }
}
