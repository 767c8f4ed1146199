#include "host/sparse/balanced.h"

KERNEL(csr_to_balanced)
{
    const uint32_t above[] = {a->above128, a->above64, a->above32};
    FOR_SLICES(s, a->slices)
    {
        struct balanced_slice b = balanced_slice_at(s, above, a->n, a->lanes);
        for (uint32_t j = 0; j < 32; j++) {
            uint32_t t = b.first + j / b.team, i = t < b.end ? a->order[t] : 0,
                     length = t < b.end ? stored_length(a->row, i) : 0;
            for (uint32_t to = a->slice[s] + j, k = j % b.team; to < a->slice[s + 1]; to += 32, k += b.team) {
                uint32_t col = k < length ? a->from_col[a->row[i] + k] : BALANCED_NOTHING;
                a->col[to] = k < length && a->name ? a->name[col] : col;
                a->val[to] = k < length ? a->from_val[a->row[i] + k] : 0;
            }
        }
    }
}
