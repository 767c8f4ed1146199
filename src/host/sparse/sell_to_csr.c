#include "host/sparse/slices.h"

static uint32_t column(const struct sell_to_csr_args *a, struct sell_slice s, uint32_t k, uint32_t j)
{
    if (!a->base)
        return a->col[s.first + a->height * k + j];
    uint32_t word = a->col[compact_word(s, a->height, k) + 2 * j];
    return a->base[4 * s.four + k] + (word >> k % 2 * 16 & 0xFFFF);
}

KERNEL(sell_to_csr)
{
    PARALLEL_FOR (i, a->n) {
        struct sell_slice s = slice_of(a->slice, a->height, a->width, i);
        uint32_t row = row_of(a->order, i), j = part_of(a->slice, a->height, i);
        uint32_t length = stored_length(a->row, row);
        for (uint32_t k = 0, to = a->row[row]; k < length; k++, to++) {
            a->to_col[to] = column(a, s, k, j);
            a->to_val[to] = a->val[s.first + a->height * k + j];
        }
    }
}
