#include "host/sparse/diagonal.h"

KERNEL(csr_diagonal)
{
    uint32_t first = a->row[0];
    real same = a->n && a->row[1] > first && a->col[first] == 0 ? a->val[first] : 0;
    PARALLEL_FOR (i, a->n) {
        real d = 0;
        for (uint32_t k = a->row[i]; k < a->row[i + 1] && a->col[k] <= i; k++)
            d = a->col[k] == i ? a->val[k] : d;
        a->d[i] = inverted(a->flags, i, d, same);
    }
}
