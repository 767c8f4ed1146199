#include "host/multigrid/lanes.h"

KERNEL(strength_count)
{
    bool negative = only_negative(a->signs);
    float least = float_of(a->threshold);
    PARALLEL_FOR (i, a->n) {
        real weak[32] = {0}, diagonal = 0;
        uint32_t begin = a->row[i], end = a->row[i + 1], strong = 0;
        for (uint32_t k = begin; k < end; k++) {
            uint32_t j = a->col[k];
            real v = a->val[k];
            if (j == i)
                diagonal = v;
            else if (is_strong(strength_bits(v, a->root[i], a->root[j], negative), a->most[i], a->most[j],
                               least))
                strong++;
            else
                weak[(k - begin) & (a->lanes - 1)] += v;
        }
        real lumped = diagonal + lanes_sum(weak, a->lanes);
        a->count[i] = strong + 1;
        a->filtered[i] = lumped < (real)LEAST_FILTERED * diagonal ? diagonal : lumped;
    }
}
