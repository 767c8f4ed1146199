#include "host/sparse/csr.h"
#include "host/sparse/then.h"
#include "host/sum.h"

KERNEL(spmv_csr_then)
{
    struct then then = THEN_OF(a);
    uint32_t tiles = a->n ? tiles_of(a->n) : 0;
    FOR_TILES (t, tiles) {
        scalar_t s[TILE];
        uint32_t length = tile_length(t, a->n);
        rows_product(a->row + t * TILE, a->col, a->val, a->x, s, length, a->lanes);
        then_rows(&then, t * TILE, t * TILE + length, s);
    }
}
