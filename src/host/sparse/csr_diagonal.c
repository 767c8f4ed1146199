#include "host/kernel.h"

static void first_row(uint32_t *flag, uint32_t i)
{
    PRAGMA(omp critical(csr_diagonal))
    if (i < *flag)
        *flag = i;
}

KERNEL(csr_diagonal)
{
    uint32_t first = a->row[0];
    real same = a->n && a->row[1] > first && a->col[first] == 0 ? a->val[first] : 0;
    PARALLEL_FOR (i, a->n) {
        real d = 0;
        for (uint32_t k = a->row[i]; k < a->row[i + 1] && a->col[k] <= i; k++)
            d = a->col[k] == i ? a->val[k] : d;
        real inverse = 1 / d;
        if (d == 0)
            first_row(&a->flags[0], i);
        else if (!isfinite(d) || !isfinite(inverse))
            first_row(&a->flags[2], i);
        else if (d < 0)
            first_row(&a->flags[1], i);
        if (d != same)
            first_row(&a->flags[3], i);
        a->d[i] = inverse;
    }
}
