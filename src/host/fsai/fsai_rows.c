#include "host/kernel.h"

KERNEL(fsai_rows)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t *to = a->col + a->row[i], count = a->row[i + (size_t)1] - a->row[i] - 1;
        const uint32_t *from = a->s_col + (size_t)i * a->stride;
        to[count] = i;
        for (uint32_t q = 0; q < count; q++) {
            uint32_t at = q;
            for (; at && to[at - 1] > from[q]; at--)
                to[at] = to[at - 1];
            to[at] = from[q];
        }
    }
}
