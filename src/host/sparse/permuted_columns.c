#include "host/kernel.h"

KERNEL(permuted_columns)
{
    PARALLEL_FOR (i, a->n) {
        const uint32_t *from = a->col + a->row[a->place[i]];
        for (uint32_t e = a->to_row[i]; e < a->to_row[i + 1]; e++)
            a->to_col[e] = from[e - a->to_row[i]];
    }
}
