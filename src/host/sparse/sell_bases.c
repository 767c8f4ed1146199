#include "host/sparse/slices.h"

/* Computes the bases of slice s; returns the largest offset of a column from its base. */
static uint32_t slice_bases(const struct sell_bases_args *a, uint32_t s)
{
    struct sell_slice place = slice_at(a->slice, s, a->height);
    uint32_t largest = 0;
    uint32_t end = a->n - a->height * s < a->height ? a->n : a->height * (s + 1);
    for (uint32_t k = 0; k < place.width; k++) {
        uint32_t least = UINT32_MAX, last = 0;
        for (uint32_t i = a->height * s; i < end; i++) {
            uint32_t row = row_of(a->order, i), at = a->row[row] + k;
            if (k < stored_length(a->row, row)) {
                least = a->col[at] < least ? a->col[at] : least;
                last = a->col[at] > last ? a->col[at] : last;
            }
        }
        if (a->base)
            a->base[4 * place.four + k] = least;
        largest = last - least > largest ? last - least : largest;
    }
    return largest;
}

KERNEL(sell_bases)
{
    uint32_t slices = slice_count(a->n, a->height), largest = 0;
    TEAM_FOR(me, s, slices, PARALLEL_FROM / SLICE, 1)
    {
        uint32_t most = slice_bases(a, s);
        largest = most > largest ? most : largest;
    }
    if (a->most)
        take_most(a->most, largest);
}
