#include "host/kernel.h"
#include "shaders/sparse/long.h"

KERNEL(long_numbers)
{
    uint32_t words = a->n / 32 + (a->n % 32 != 0);
    PARALLEL_FOR (w, words) {
        uint32_t word = 0, end = a->n - 32 * w < 32 ? a->n : 32 * w + 32;
        for (uint32_t i = 32 * w; i < end; i++) {
            uint32_t length = a->row[i + 1] - a->row[i];
            bool is = length > LONG_ROW;
            a->counts[i] = is ? length / LONG_PIECE + (length % LONG_PIECE != 0) : 0;
            word |= (uint32_t)is << i % 32;
        }
        a->bits[w] = word;
    }
}
