#include "host/sparse/slices.h"
#include "host/sparse/then.h"

/* Writes permuted rows one by one. */
static void slices_tile_then(const struct slices *A, const struct then *then, const scalar_t *x, uint32_t t)
{
    uint32_t end = TILE * t + tile_length(t, A->n);
    uint32_t rows = A->slice && A->height < SLICE ? A->height : SLICE;
    for (uint32_t i = TILE * t; i < end; i += rows) {
        scalar_t s[SLICE];
        uint32_t count = end - i < rows ? end - i : rows;
        part_product(A, x, slice_of(A->slice, A->height, A->width, i), part_of(A->slice, A->height, i), rows,
                     s);
        if (!A->order)
            then_rows(then, i, i + count, s);
        for (uint32_t r = 0; A->order && r < count; r++)
            then_rows(then, A->order[i + r], A->order[i + r] + 1, s + r);
    }
}

KERNEL(spmv_slices_then)
{
    struct slices A = {a->slice, a->col, a->base,   a->order, NULL,
                       a->val,   a->n,   a->height, a->width, a->lanes};
    struct then then = THEN_OF(a);
    uint32_t tiles = a->n ? tiles_of(a->n) : 0;
    FOR_TILES (t, tiles) {
        slices_tile_then(&A, &then, a->x, t);
    }
}
