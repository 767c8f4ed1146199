#include "host/sparse/balanced.h"

KERNEL(balanced_sizes)
{
    const uint32_t above[] = {a->above128, a->above64, a->above32};
    PARALLEL_FOR (s, a->slices) {
        struct balanced_slice b = balanced_slice_at(s, above, a->n, a->lanes);
        uint32_t length = b.first < b.end ? stored_length(a->row, a->order[b.first]) : 0;
        a->size[s] = 32 * ((length + b.team - 1) / b.team);
    }
}
