#include "host/kernel.h"
#include "host/sum.h"

KERNEL(csr_magnitudes)
{
    PARALLEL_FOR (i, a->n) {
        real lanes[32] = {0};
        uint32_t begin = a->row[i], end = a->row[i + 1];
        for (uint32_t k = begin; k < end; k++)
            lanes[(k - begin) % 32] += (real)fabs((real)a->val[k] * a->x[a->col[k]]);
        a->y[i] = few_lanes(lanes, end - begin) + (real)fabs(a->b[i]);
    }
}
