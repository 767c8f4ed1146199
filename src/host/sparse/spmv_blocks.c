#include "host/kernel.h"
#include "shaders/sparse/blocks.h"

#include <string.h>

/* Row i of blocks: each term goes to its lane, and the lanes are summed by halving. */
static void multiply_row(const struct spmv_blocks_args *a, uint32_t i)
{
    uint32_t high = a->high, wide = a->wide, begin = a->row[i], end = a->row[i + (size_t)1], lane = 0,
             lanes = (end - begin) * wide > BLOCKS_LANE_TERMS * a->lanes ? 256 : a->lanes;
    scalar_t sum[256][BLOCKS_SIDE];
    memset(sum, 0, lanes * sizeof *sum);
    for (uint32_t q = begin; q < end; q++) {
        const scalar_t *val = a->val + (size_t)q * high * wide, *x = a->x + (size_t)a->col[q] * wide;
        for (uint32_t c = 0; c < wide; c++) {
            for (uint32_t r = 0; r < high; r++)
                sum[lane][r] += mul(val[r * wide + c], x[c]);
            lane = (lane + 1) % lanes;
        }
    }
    for (uint32_t half = lanes / 2; half; half /= 2)
        for (uint32_t l = 0; l < half; l++)
            for (uint32_t r = 0; r < high; r++)
                sum[l][r] += sum[l + half][r];
    for (uint32_t r = 0; r < high; r++)
        a->y[(size_t)i * high + r] = sum[0][r];
}

KERNEL(spmv_blocks)
{
    PARALLEL_FOR (i, a->n)
        multiply_row(a, i);
}
