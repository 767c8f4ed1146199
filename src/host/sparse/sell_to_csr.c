#include "host/sparse/sell.h"

static uint32_t column(const struct sell_to_csr_args *a, struct sell_slice s, uint32_t k, uint32_t j)
{
    if (!a->base)
        return a->col[s.first + SLICE * k + j];
    uint32_t word = a->col[compact_word(s, k) + 2 * j];
    return a->base[4 * s.four + k] + (word >> k % 2 * 16 & 0xFFFF);
}

KERNEL(sell_to_csr)
{
    PARALLEL_FOR (i, a->n) {
        struct sell_slice s = slice_at(a->slice, i / SLICE);
        uint32_t length = slice_row_length(a->row, i);
        for (uint32_t k = 0, to = a->row[i]; k < length; k++, to++) {
            a->to_col[to] = column(a, s, k, i % SLICE);
            a->to_val[to] = a->val[s.first + SLICE * k + i % SLICE];
        }
    }
}
