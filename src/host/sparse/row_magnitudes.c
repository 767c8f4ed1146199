#include "shaders/sparse/row_magnitudes.h"
#include "host/exponents.h"

KERNEL(row_magnitudes)
{
    uint32_t extent[EXTENT_WORDS] = {0};
    PARALLEL_FOR (i, a->n) {
        uint32_t begin = a->row[i], end = a->row[i + 1], most = 0;
        for (uint32_t e = begin; e < end; e++) {
            struct parts p = parts_of(a->val[e]);
            uint32_t word = p.counts ? (uint32_t)(log_of(&p) + LOG_BIAS) : 0;
            most = word > most ? word : most;
        }
        a->magnitude[i] = most;
        uint32_t of_row[EXTENT_WORDS] = {
            [EXTENT_LONGEST] = end - begin, [EXTENT_MOST] = most, [EXTENT_NOT_LEAST] = most ? ~most : 0};
        for (int k = 0; k < EXTENT_WORDS; k++)
            extent[k] = of_row[k] > extent[k] ? of_row[k] : extent[k];
    }
    for (int k = 0; k < EXTENT_WORDS; k++)
        take_most(a->extent + k, extent[k]);
}
