#include "host/kernel.h"
#include "host/sum.h"

KERNEL(csr_magnitudes)
{
    PARALLEL_FOR (i, a->n) {
        double lanes[32] = {0};
        uint32_t begin = a->row[i], end = a->row[i + 1];
        for (uint32_t k = begin; k < end; k++)
            lanes[(k - begin) % 32] += magnitude(mul((wide_t)a->val[k], (wide_t)a->x[a->col[k]]));
        double sum = wide_tile_lanes(lanes) + magnitude((wide_t)a->b[i]);
        a->y[i] = a->fixpoint ? sum + magnitude((wide_t)a->x[i]) : sum;
    }
}
