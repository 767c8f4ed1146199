#include "host/solver/control.h"
#include "host/sparse/spmv_long.h"

/* Tasks are of some hundred entries: threads take them in bundles. */
KERNEL(spmv_balanced)
{
    if (a->c && !alive(a->c))
        return;
#pragma omp parallel for schedule(dynamic, 64) if (a->pieces + a->tasks >= 128)
    for (uint32_t t = 0; t < a->pieces + a->tasks; t++) {
        if (t < a->pieces) {
            sum_piece(a->list, NULL, a->col, a->val, a->x, a->y, a->sum, t);
        } else {
            const uint32_t *rows = a->task + 4 * (size_t)(t - a->pieces);
            rows_product(a->row + rows[0], a->col, a->val, a->x, a->y + rows[0], rows[1] - rows[0], a->lanes);
        }
    }
}
