#include "host/sparse/csr.h"
#include "shaders/sparse/csr_cached.h"

/* Needs no explicit cache, since a processor has its own. */
KERNEL(spmv_csr_cached)
{
    uint32_t tiles = a->n / CACHED_ROWS + (a->n % CACHED_ROWS != 0);
    FOR_TILES (t, tiles) {
        uint32_t first = CACHED_ROWS * t, rest = a->n - first;
        rows_product(a->row + first, a->col, a->val, a->x, a->y + first,
                     rest < CACHED_ROWS ? rest : CACHED_ROWS, a->lanes);
    }
}
