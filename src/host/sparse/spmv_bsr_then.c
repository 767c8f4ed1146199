#include "host/sparse/bsr.h"
#include "host/sparse/then.h"
#include "host/sum.h"

KERNEL(spmv_bsr_then)
{
    struct bsr A = BSR_OF(a);
    struct then then = THEN_OF(a);
    uint32_t tiles = a->n ? tiles_of(a->n) : 0;
    FOR_TILES (t, tiles) {
        scalar_t s[TILE];
        uint32_t length = tile_length(t, a->n);
        rows_product(&A, a->x, t * TILE, length, s, a->lanes);
        then_rows(&then, t * TILE, t * TILE + length, s);
    }
}
