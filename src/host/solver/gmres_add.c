#include "host/solver/control.h"
#include "host/sum.h"

KERNEL(gmres_add)
{
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (tile, tiles) {
        uint32_t first = tile * TILE, length = tile_length(tile, a->n);
        real *restrict y = a->y + first;
        for (uint32_t k = 0; k < a->w->combined; k++) {
            const real *restrict v = a->basis + (size_t)k * a->n + first;
            for (uint32_t i = 0; i < length; i++)
                y[i] += a->coefficients[k] * v[i];
        }
    }
}
