#include "host/multigrid/lanes.h"

KERNEL(strength_maxima)
{
    bool negative = only_negative(a->signs);
    PARALLEL_FOR (i, a->n) {
        uint32_t largest = 0;
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++) {
            uint32_t j = a->col[k], s = strength_bits(a->val[k], a->root[i], a->root[j], negative);
            largest = j != i && s > largest ? s : largest;
        }
        a->most[i] = largest;
    }
}
