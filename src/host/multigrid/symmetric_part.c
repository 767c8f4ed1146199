#include "device/search.h"
#include "host/kernel.h"

KERNEL(symmetric_part)
{
    PARALLEL_FOR (i, a->n)
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++) {
            uint32_t end = a->t_row[i + 1];
            uint32_t m = first_not_below(a->t_col, a->t_row[i], end, a->col[k]);
            bool is = m < end && a->t_col[m] == a->col[k];
            a->part[k] = is ? (real)0.5 * a->val[k] + (real)0.5 * a->t_val[m] : 0;
        }
}
