#include "host/solver/bicgstab.h"

KERNEL(bicgstab_gram)
{
    if (!alive(a->c))
        return;
    uint32_t tiles = tiles_of(a->n);
    scalar_t *s = a->s + BICGSTAB_GRAM * a->stride;
    FOR_TILES (t, tiles) {
        uint32_t first = t * TILE, length = tile_length(t, a->n);
        const scalar_t *column[BICGSTAB_L + 1] = {a->r + first};
        for (uint32_t k = 0; k < BICGSTAB_L; k++)
            column[k + 1] = a->rest + (size_t)k * a->n + first;
        for (uint32_t k = 0; k <= BICGSTAB_L; k++)
            for (uint32_t l = k; l <= BICGSTAB_L; l++)
                s[BICGSTAB_PLACE(k, l) * a->stride + t] = tile_dot(column[k], column[l], length);
    }
    if (!LEADS)
        return;
    fold_rows(s, tiles, a->stride, BICGSTAB_PRODUCTS);
    bicgstab_decide(a->c, a->w, a->history, a->kept,
                    real_part(rest_of_stripes(a->s + BICGSTAB_RR * a->stride, tiles)), true);
}
