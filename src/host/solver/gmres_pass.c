#include "host/solver/control.h"
#include "host/solver/rows.h"

KERNEL(gmres_pass)
{
    uint32_t tiles = tiles_of(a->n), columns = a->w->column + 1, rows = a->measures ? 1 : columns;
    FOR_TILES (tile, tiles) {
        uint32_t first = tile * TILE, length = tile_length(tile, a->n);
        scalar_t *restrict t = a->t + first;
        for (uint32_t k = 0; a->takes_off && k < columns; k++) {
            const scalar_t *restrict v = a->basis + (size_t)k * a->n + first;
            for (uint32_t i = 0; i < length; i++)
                t[i] -= mul(a->h[k], v[i]);
        }
        if (a->measures)
            a->s[tile] = square_sum(t, NULL, length);
        for (uint32_t k = 0; !a->measures && k < columns; k++)
            a->s[(size_t)k * a->stride + tile] =
                conj(tile_dot(t, a->basis + (size_t)k * a->n + first, length));
    }
    if (LEADS)
        fold_rows(a->s, tiles, a->stride, rows);
}
