#include "host/kernel.h"

KERNEL(entry_rows)
{
    PARALLEL_FOR (i, a->n) {
        for (uint32_t k = a->row[i]; k < a->row[i + (size_t)1]; k++)
            a->row_of[k] = i;
    }
}
