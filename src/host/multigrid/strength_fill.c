#include "host/multigrid/lanes.h"

KERNEL(strength_fill)
{
    bool negative = only_negative(a->signs);
    float least = float_of(a->threshold);
    real weight = *a->w;
    PARALLEL_FOR (i, a->n) {
        uint32_t at = a->to_row[i];
        real factor = weight / a->filtered[i];
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++) {
            uint32_t j = a->col[k];
            uint32_t s = j == i ? word_of(1) : strength_bits(a->val[k], a->root[i], a->root[j], negative);
            if (j != i && !is_strong(s, a->most[i], a->most[j], least))
                continue;
            a->to_col[at] = j;
            a->strength[at] = s;
            a->to_val[at++] = j == i ? 1 - weight : -(factor * a->val[k]);
        }
    }
}
