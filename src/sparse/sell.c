#include "sparse/sell.h"

uint64_t sell_offsets(uint32_t n, const uint32_t *row, uint32_t *slice, uint64_t *fours)
{
    uint64_t padded = 0;
    *fours = 0;
    uint32_t slices = sell_slices(n);
    for (uint32_t s = 0; s < slices; s++) {
        uint32_t first = SELL_SLICE * s, rows = n - first < SELL_SLICE ? n - first : SELL_SLICE, width = 0;
        for (const uint32_t *k = row + first; k < row + first + rows; k++)
            width = k[1] - k[0] > width ? k[1] - k[0] : width;
        slice[s] = (uint32_t)padded;
        padded += (uint64_t)SELL_SLICE * width;
        *fours += (width + (uint64_t)3) / 4;
    }
    slice[slices] = (uint32_t)padded;
    return padded;
}
