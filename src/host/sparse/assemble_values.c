#include "host/kernel.h"

KERNEL(assemble_values)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t begin = a->start[i], end = a->start[i + (size_t)1];
        scalar_t sum = 0;
        for (uint32_t k = begin; k < end; k++)
            sum = k == begin ? a->val[a->place[k]] : sum + a->val[a->place[k]];
        a->sum[i] = sum;
    }
}
