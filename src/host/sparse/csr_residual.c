#include "host/sparse/csr.h"
#include "host/sum.h"

DEFINE_ROWS(wide_t, wide_row_sum, wide_rows_lanes, wide_rows_product)

KERNEL(csr_residual)
{
    uint32_t tiles = a->n ? tiles_of(a->n) : 0;
    FOR_TILES (t, tiles) {
        uint32_t first = t * TILE, length = tile_length(t, a->n);
        wide_t *r = a->r + first;
        wide_rows_product(a->row + first, a->col, a->val, a->x, r, length, a->lanes);
        if (a->fixpoint)
            for (uint32_t j = 0; j < length; j++)
                r[j] = ((wide_t)a->b[first + j] + r[j]) - (wide_t)a->x[first + j];
        else
            for (uint32_t j = 0; j < length; j++)
                r[j] = (wide_t)a->b[first + j] - r[j];
    }
}
