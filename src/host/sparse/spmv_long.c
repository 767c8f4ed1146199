#include "host/sparse/spmv_long.h"
#include "host/solver/control.h"

KERNEL(spmv_long)
{
    if (a->c && !alive(a->c))
        return;
    FOR_PIECES(p, a->pieces)
    sum_piece(a->list, a->start, a->col, a->val, a->x, a->y, a->sum, p);
}
