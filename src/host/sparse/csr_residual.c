#include "host/sum.h"

static double row_residual(const struct csr_residual_args *a, uint32_t i)
{
    double sum = 0;
    for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
        sum += (double)a->val[k] * (double)a->x[a->col[k]];
    return (double)a->b[i] - sum;
}

KERNEL(csr_residual)
{
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES(t, tiles) {
        uint32_t length = tile_length(t, a->n);
        double v[TILE];
        for (uint32_t j = 0, i = t * TILE; j < length; j++, i++) {
            a->r[i] = row_residual(a, i);
            v[j] = a->r[i] * a->r[i];
        }
        a->s[t] = wide_tile_sum(v, length);
    }
    *a->result = wide_sum_whole(a->s, tiles);
}
