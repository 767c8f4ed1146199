#include "host/solver/control.h"
#include "host/sparse/csr.h"

/* The rows as in CSR: of a block a thread has enough to do. */
KERNEL(spmv_balanced)
{
    if (a->c && !alive(a->c))
        return;
#pragma omp parallel for schedule(static) if (a->blocks >= 8)
    for (uint32_t b = 0; b < a->blocks; b++) {
        uint32_t from = a->first[b], rows = a->first[b + 1] - from;
        rows_product(a->row + from, a->col, a->val, a->x, a->y + from, rows, a->lanes);
    }
}
