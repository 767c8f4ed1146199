#include "host/sum.h"

/* The halving tree over the lanes of a row, in place. */
static real row_sum(real *lane, uint32_t lanes)
{
    for (uint32_t stride = lanes / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++)
            lane[l] += lane[l + stride];
    return lane[0];
}

KERNEL(csr_signs)
{
    PARALLEL_FOR (i, a->n) {
        real positive[32] = {0}, other[32] = {0}, diagonal = 0;
        uint32_t begin = a->row[i], end = a->row[i + 1];
        for (uint32_t k = begin; k < end; k++) {
            scalar_t v = (scalar_t)a->val[k];
            uint32_t lane = (k - begin) % a->lanes;
            if (a->col[k] == i) {
                diagonal = real_part(v);
                continue;
            }
            other[lane] += magnitude(v);
            positive[lane] += real_part(v) > 0 ? real_part(v) : 0;
        }
        a->positive[i] = row_sum(positive, a->lanes);
        a->other[i] = row_sum(other, a->lanes);
        a->dominated[i] = 10 * a->other[i] < 9 * diagonal;
    }
}
