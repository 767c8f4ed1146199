#include "host/sparse/balanced.h"

KERNEL(balanced_sizes)
{
    PARALLEL_FOR (s, a->slices) {
        uint32_t first = a->order[s * (32 / a->lanes)];
        a->size[s] = 32 * ((stored_length(a->row, first) + a->lanes - 1) / a->lanes);
    }
}
