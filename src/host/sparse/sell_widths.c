#include "host/sparse/slices.h"

/* The longest row of slice s. */
static uint32_t slice_longest(const struct sell_widths_args *a, uint32_t s)
{
    uint32_t longest = 0, end = a->n - a->height * s < a->height ? a->n : a->height * (s + 1);
    for (uint32_t i = a->height * s; i < end; i++) {
        uint32_t length = stored_length(a->row, row_of(a->order, i));
        longest = length > longest ? length : longest;
    }
    return longest;
}

KERNEL(sell_widths)
{
    uint32_t slices = slice_count(a->n, a->height), fours = 0, longest = a->totals[1];
#pragma omp parallel for schedule(static) reduction(+ : fours) reduction(max : longest) \
    if (slices >= PARALLEL_FROM / SLICE)
    for (uint32_t s = 0; s < slices; s++) {
        uint32_t width = slice_longest(a, s);
        if (a->sizes)
            a->sizes[s] = a->height * width;
        fours += width / 4 + (width % 4 != 0);
        longest = width > longest ? width : longest;
    }
    a->totals[0] += fours;
    a->totals[1] = longest;
}
