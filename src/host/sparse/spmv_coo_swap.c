#include "host/sparse/scatter.h"

KERNEL(spmv_coo_swap)
{
    PARALLEL_FOR (k, a->entries) {
        add_to(a->y, a->row[k], mul(a->val[k], a->x[a->col[k]]));
    }
}
