#include "host/sparse/coded.h"
#include "host/sparse/then.h"
#include "host/sum.h"

KERNEL(spmv_coded_then)
{
    struct coded A = {a->slice, a->code, a->apart, a->value, a->units, a->wide};
    struct then then = THEN_OF(a);
    uint32_t tiles = a->n ? tiles_of(a->n) : 0;
    FOR_TILES (t, tiles) {
        scalar_t s[TILE];
        uint32_t length = tile_length(t, a->n);
        coded_tile(&A, a->x, NULL, t, length, s, a->lanes);
        then_rows(&then, t * TILE, t * TILE + length, s);
    }
}
