#include "host/sparse/sell.h"

/* The bases of slice s; returns the most that a column lies above one of them. */
static uint32_t slice_bases(const struct sell_bases_args *a, uint32_t s)
{
    struct sell_slice place = slice_at(a->slice, s);
    uint32_t largest = 0;
    uint32_t end = a->n - SLICE * s < SLICE ? a->n : SLICE * (s + 1);
    for (uint32_t k = 0; k < place.width; k++) {
        uint32_t least = UINT32_MAX, last = 0;
        for (uint32_t i = SLICE * s; i < end; i++) {
            uint32_t at = a->row[i] + k;
            if (k < slice_row_length(a->row, i)) {
                least = a->col[at] < least ? a->col[at] : least;
                last = a->col[at] > last ? a->col[at] : last;
            }
        }
        a->base[4 * place.four + k] = least;
        largest = last - least > largest ? last - least : largest;
    }
    return largest;
}

KERNEL(sell_bases)
{
    uint32_t slices = a->n / SLICE + (a->n % SLICE != 0), largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest) if (slices >= PARALLEL_FROM / SLICE)
    for (uint32_t s = 0; s < slices; s++) {
        uint32_t most = slice_bases(a, s);
        largest = most > largest ? most : largest;
    }
    a->most[0] = largest > a->most[0] ? largest : a->most[0];
}
