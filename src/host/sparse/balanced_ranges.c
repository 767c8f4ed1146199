#include "../../../shaders/sparse/balanced.h"
#include "host/sparse/sell.h"

KERNEL(balanced_ranges)
{
    PARALLEL_FOR (t, a->n) {
        uint32_t i = a->order[t], length = stored_length(a->row, i),
                 next = t + 1 < a->n ? stored_length(a->row, a->order[t + 1]) : 0;
        bool long_row = a->row[i + 1] - a->row[i] > LONG_ROW;
        a->range[2 * (size_t)t] = long_row ? BALANCED_LONG_BEGIN : a->row[i];
        a->range[2 * (size_t)t + 1] = long_row ? BALANCED_LONG_END : a->row[i + 1];
        for (uint32_t c = 0; c < BALANCED_CLASSES; c++)
            if (length > BALANCED_ABOVE(c) && next <= BALANCED_ABOVE(c))
                a->above[c] = t + 1;
    }
}
