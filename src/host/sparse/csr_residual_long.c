#include "host/sparse/csr.h"
#include "host/sparse/long.h"

DEFINE_ROW_SUM(wide_t, wide_row_sum)

KERNEL(csr_residual_long)
{
    FOR_PIECES(p, a->pieces)
    {
        struct long_piece q = piece_at(a->list, p);
        uint32_t begin = a->start ? a->start[p] : q.begin;
        wide_t *to = q.of == 1 ? a->r + q.row : a->sum + p;
        *to = wide_row_sum(a->col, a->val, a->x, begin, begin + (q.end - q.begin), 32);
    }
}
