#include "host/kernel.h"
#include "shaders/block/invert.h"

#include <string.h>

/* A thread takes eight words of bits, so that no word has two writers. */
KERNEL(rows_alike)
{
    uint32_t tiles = a->n / 256 + (a->n % 256 != 0);
    FOR_TILES (t, tiles) {
        for (uint32_t j = 0; j < 256 && j < a->n - 256 * t; j++) {
            uint32_t i = 256 * t + j;
            if (i == 0)
                continue;
            uint32_t before = a->row[i - 1], here = a->row[i], length = a->row[i + 1] - here;
            if (here - before == length && length <= ALIKE_MOST &&
                (length == 0 || !memcmp(a->col + before, a->col + here, length * sizeof *a->col)))
                a->alike[i / 32] |= UINT32_C(1) << i % 32;
        }
    }
}
