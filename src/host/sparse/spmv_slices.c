#include "host/sparse/slices.h"

KERNEL(spmv_slices)
{
    struct slices A = {a->slice, a->col, a->base,   a->order, a->bits,
                       a->val,   a->n,   a->height, a->width, a->lanes};
    slices_product(&A, a->x, a->y, me);
}
