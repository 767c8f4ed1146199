#include "host/kernel.h"

KERNEL(spgemm_kept_columns)
{
    PARALLEL_FOR (u, a->n) {
        uint32_t s = (uint32_t)((uint64_t)a->key[u] >> a->shift);
        a->c_col[a->c_row[a->list[s]] + (size_t)(u - a->bound[s])] = a->key[u] & a->mask;
    }
}
