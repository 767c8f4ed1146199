#include "host/sparse/slices.h"

static uint32_t above_base(const struct csr_to_sell_args *a, struct sell_slice s, uint32_t k, uint32_t begin,
                           uint32_t length)
{
    return k < length ? a->from_col[begin + k] - a->base[4 * s.four + k] : NONE_COMPACT;
}

/* Fills the row at position i, part j of the slice; columns beyond its length are NONE. */
static void row_to_slice(const struct csr_to_sell_args *a, struct sell_slice s, uint32_t i, uint32_t j)
{
    uint32_t row = i < a->n ? row_of(a->order, i) : 0;
    uint32_t begin = a->row[row], length = i < a->n ? stored_length(a->row, row) : 0;
    for (uint32_t k = 0; k < s.width; k++) {
        uint32_t to = s.first + a->height * k + j;
        a->val[to] = k < length ? a->from_val[begin + k] : 0;
        if (!a->base)
            a->col[to] = k < length ? a->from_col[begin + k] : NONE;
    }
    for (uint32_t k = 0; a->base && k < (s.width + 3) / 4 * 4; k += 2)
        a->col[compact_word(s, a->height, k) + 2 * j] =
            above_base(a, s, k, begin, length) | above_base(a, s, k + 1, begin, length) << 16;
}

KERNEL(csr_to_sell)
{
    uint32_t positions = slice_count(a->n, a->height) * a->height;
    PARALLEL_FOR (i, positions) {
        row_to_slice(a, slice_of(a->slice, a->height, a->width, i), i, part_of(a->slice, a->height, i));
    }
}
