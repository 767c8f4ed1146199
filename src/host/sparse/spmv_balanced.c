#include "host/solver/control.h"
#include "host/sparse/spmv_long.h"

/* Threads take rows in bundles, of few entries at the end of the order. */
KERNEL(spmv_balanced)
{
    if (a->c && !alive(a->c))
        return;
    FOR_PIECES(p, a->pieces)
    sum_piece(a->list, NULL, a->col, a->val, a->x, a->y, a->sum, p);
#pragma omp parallel for schedule(dynamic, 256) if (a->n >= PARALLEL_FROM)
    for (uint32_t t = 0; t < a->n; t++) {
        const uint32_t *range = a->range + 2 * (size_t)t;
        if (range[0] <= range[1])
            rows_product(range, a->col, a->val, a->x, a->y + a->order[t], 1, a->lanes);
    }
}
