#include "host/solver/bicgstab.h"
#include "shaders/solver/shadow.glsl"

static real shadow_of(uint32_t h, bool has_numbers)
{
    bool is_negative = h >> 31;
    return has_numbers ? shadow_number(h, is_negative) : is_negative ? -1 : 1;
}

static void start_tile(const struct bicgstab_start_args *a, uint32_t first, uint32_t length)
{
    const scalar_t *restrict r = a->r + first;
    uint32_t start = (uint32_t)(a->w->start < 0 ? -a->w->start : a->w->start), key = hash(start);
    bool has_numbers = shadow_has_numbers(a->w->start, a->n);
    for (uint32_t j = 0; j < length; j++) {
        a->shadow[first + j] = start == 1 ? r[j] : shadow_of(hash((first + j) ^ key), has_numbers);
        a->u[first + j] = a->y[first + j] = a->best[first + j] = 0;
    }
}

KERNEL(bicgstab_start)
{
    uint32_t tiles = tiles_of(a->n);
    scalar_t *rho = a->s + BICGSTAB_RHO * a->stride, *rr = a->s + BICGSTAB_RR * a->stride;
    FOR_TILES (t, tiles) {
        uint32_t first = t * TILE, length = tile_length(t, a->n);
        start_tile(a, first, length);
        rho[t] = tile_dot(a->shadow + first, a->r + first, length);
        rr[t] = square_sum(a->r + first, a->weighted ? a->weight + first : NULL, length);
    }
    if (LEADS)
        fold_rows(a->s, tiles, a->stride, 2);
}
