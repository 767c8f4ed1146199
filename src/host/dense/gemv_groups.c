#include "host/dense/gemv.h"

KERNEL(gemv_groups)
{
    uint32_t strips = strips_of(a->cols);
    TEAM_FOR(me, i, a->rows, (uint64_t)a->rows * a->cols >= 65536 ? 2 : UINT32_MAX, 1)
    {
        scalar_t v[TILE], *sums = strips <= GEMV_GROUP ? v : a->s + (size_t)i * strips;
        for (uint32_t p = 0; p < strips; p++)
            sums[p] = strip_at(a->A, a->x, i, p, a->cols, a->ld, a->lanes);
        if (strips <= GEMV_GROUP)
            leave(a->y, a->b, i, tile_sum(v, strips));
    }
}
