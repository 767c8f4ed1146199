#include "host/dense/gemv.h"

KERNEL(gemv_strips)
{
    gemv_parts(a->A, a->x, a->b, a->y, a->s, a->rows, a->cols, a->ld, a->lanes, me);
}
