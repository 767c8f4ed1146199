#include "host/kernel.h"

KERNEL(spgemm_kept_counts)
{
    PARALLEL_FOR (s, a->rows) {
        a->entries[a->list[s]] = a->bound[(s + (size_t)1) * a->parts] - a->bound[s * (size_t)a->parts];
    }
}
