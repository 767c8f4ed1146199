#include "host/sparse/balanced.h"

KERNEL(csr_to_balanced)
{
    FOR_SLICES(s, a->slices)
    {
        for (uint32_t j = 0; j < 32; j++) {
            uint32_t t = s * (32 / a->lanes) + j / a->lanes, i = t < a->n ? a->order[t] : 0,
                     length = t < a->n ? stored_length(a->row, i) : 0;
            for (uint32_t to = a->slice[s] + j, k = j % a->lanes; to < a->slice[s + 1];
                 to += 32, k += a->lanes) {
                a->col[to] = k < length ? a->from_col[a->row[i] + k] : NOTHING;
                a->val[to] = k < length ? a->from_val[a->row[i] + k] : 0;
            }
        }
    }
}
