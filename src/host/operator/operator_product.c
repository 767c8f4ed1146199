#include "host/operator/rows.h"
#include "host/solver/control.h"

KERNEL(operator_product)
{
    if (a->c && !alive(a->c))
        return;
    uint32_t tiles = a->n ? tiles_of(a->n) : 0;
    FOR_TILES (t, tiles) {
        operator_rows(a->call, t, a->n, a->x, a->y);
    }
}
