#include "host/kernel.h"
#include "host/sum.h"

KERNEL(csr_magnitudes)
{
    PARALLEL_FOR (i, a->n) {
        double lanes[32] = {0};
        uint32_t begin = a->row[i], end = a->row[i + 1];
        for (uint32_t k = begin; k < end; k++)
            lanes[(k - begin) % 32] += fabs((double)a->val[k] * (double)a->x[a->col[k]]);
        double sum = wide_tile_lanes(lanes) + fabs((double)a->b[i]);
        a->y[i] = a->fixpoint ? sum + fabs((double)a->x[i]) : sum;
    }
}
