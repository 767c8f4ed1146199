#include "host/sparse/sell.h"

static uint32_t above_base(const struct csr_to_sell_args *a, struct sell_slice s, uint32_t k, uint32_t begin,
                           uint32_t length)
{
    return k < length ? a->from_col[begin + k] - a->base[4 * s.four + k] : NONE_COMPACT;
}

/* The row i, its part j of the slice, of which the entries from `width` on are NONE. */
static void row_to_slice(const struct csr_to_sell_args *a, struct sell_slice s, uint32_t i, uint32_t j)
{
    uint32_t begin = i < a->n ? a->row[i] : 0, length = i < a->n ? slice_row_length(a->row, i) : 0;
    for (uint32_t k = 0; k < s.width; k++) {
        a->val[s.first + SLICE * k + j] = k < length ? a->from_val[begin + k] : 0;
        if (!a->base)
            a->col[s.first + SLICE * k + j] = k < length ? a->from_col[begin + k] : NONE;
    }
    for (uint32_t k = 0; a->base && k < (s.width + 3) / 4 * 4; k += 2)
        a->col[compact_word(s, k) + 2 * j] =
            above_base(a, s, k, begin, length) | above_base(a, s, k + 1, begin, length) << 16;
}

KERNEL(csr_to_sell)
{
    uint32_t slices = a->n / SLICE + (a->n % SLICE != 0);
    PARALLEL_FOR (s, slices) {
        for (uint32_t j = 0; j < SLICE; j++)
            row_to_slice(a, slice_at(a->slice, s), SLICE * s + j, j);
    }
}
