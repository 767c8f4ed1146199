#include "host/kernel.h"

KERNEL(block_shares)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t b = a->of[i], begin = a->first[b], rows = a->first[b + 1] - begin;
        real d = 0;
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
            d = a->col[k] == i ? (real)a->val[k] : d;
        real product = d * a->blocks[a->at[b] + (i - begin) * (rows + 1)];
        a->share[i] = rows == 1 ? 0 : 1 - 1 / product;
    }
}
