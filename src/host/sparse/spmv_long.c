#include "host/sparse/csr.h"
#include "host/sparse/long.h"

KERNEL(spmv_long)
{
    FOR_PIECES(p, a->pieces)
    {
        struct long_piece q = piece_at(a->list, p);
        uint32_t begin = a->start ? a->start[p] : q.begin;
        scalar_t *to = q.of == 1 ? a->y + q.row : a->sum + p;
        *to = row_sum(a->col, a->val, a->x, begin, begin + (q.end - q.begin), 32);
    }
}
