#include "host/multigrid/lanes.h"

KERNEL(strength_sums)
{
    PARALLEL_FOR (i, a->n) {
        real positive[32] = {0}, other[32] = {0};
        uint32_t begin = a->row[i], end = a->row[i + 1];
        for (uint32_t k = begin; k < end; k++) {
            real v = a->val[k];
            uint32_t lane = (k - begin) & (a->lanes - 1);
            if (a->col[k] == i)
                continue;
            other[lane] += v < 0 ? -v : v;
            if (v > 0)
                positive[lane] += v;
        }
        a->positive[i] = lanes_sum(positive, a->lanes);
        a->other[i] = lanes_sum(other, a->lanes);
    }
}
