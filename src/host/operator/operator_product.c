#include "host/operator/rows.h"

KERNEL(operator_product)
{
    uint32_t tiles = a->n ? tiles_of(a->n) : 0;
    FOR_TILES (t, tiles) {
        operator_rows(a->call, t, a->n, a->x, a->y);
    }
}
