#include "host/kernel.h"
#include "host/sum.h"

KERNEL(csr_magnitudes)
{
    PARALLEL_FOR (i, a->n) {
        real lanes[32] = {0};
        uint32_t begin = a->row[i], end = a->row[i + 1];
        for (uint32_t k = begin; k < end; k++) {
            double term = (real)a->val[k] * a->x[a->col[k]];
            lanes[(k - begin) % 32] += (real)fabs(term);
        }
        a->y[i] = few_lanes(lanes, end - begin) + (real)fabs(a->b[i]);
    }
}
