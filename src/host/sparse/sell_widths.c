#include "host/sparse/sell.h"

KERNEL(sell_widths)
{
    uint32_t slices = a->n / SLICE + (a->n % SLICE != 0), fours = 0;
#pragma omp parallel for schedule(static) reduction(+ : fours) if (slices >= PARALLEL_FROM / SLICE)
    for (uint32_t s = 0; s < slices; s++) {
        uint32_t width = 0, end = a->n - SLICE * s < SLICE ? a->n : SLICE * (s + 1);
        for (uint32_t i = SLICE * s; i < end; i++) {
            uint32_t length = slice_row_length(a->row, i);
            width = length > width ? length : width;
        }
        a->sizes[s] = SLICE * width;
        fours += width / 4 + (width % 4 != 0);
    }
    a->fours[0] += fours;
}
