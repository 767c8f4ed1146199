#include "host/kernel.h"

KERNEL(block_gather)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t b = a->of[i], begin = a->first[b], rows = a->first[b + 1] - begin;
        uint32_t k = a->row[i], end = a->row[i + 1];
        for (uint32_t step = end - k; step > 0;) { /* the first column not before the block */
            uint32_t half = step / 2;
            bool below = a->col[k + half] < begin;
            k = below ? k + half + 1 : k;
            step = below ? step - half - 1 : half;
        }
        for (uint32_t j = 0; j < rows; j++) {
            bool is = k < end && a->col[k] == begin + j;
            a->to[a->at[b] + j * rows + (i - begin)] = is ? a->val[k] : 0;
            k += is;
        }
    }
}
