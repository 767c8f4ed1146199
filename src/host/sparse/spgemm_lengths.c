#include "host/kernel.h"

KERNEL(spgemm_lengths)
{
    PARALLEL_FOR (e, a->n) {
        uint32_t k = a->a_col[e];
        a->length[e] = a->b_row[k + (size_t)1] - a->b_row[k];
    }
}
