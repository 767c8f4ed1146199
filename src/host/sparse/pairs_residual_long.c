#include "host/pairs.h"
#include "host/sparse/long.h"

KERNEL(pairs_residual_long)
{
    FOR_PIECES(p, a->pieces)
    {
        struct long_piece q = piece_at(a->list, p);
        a->sum[p] = pair_row_sum(a->col, a->val, a->x, q.begin, q.end, 32);
    }
    for (uint32_t p = 0, of; LEADS && p < a->pieces; p += of) {
        struct long_piece q = piece_at(a->list, p);
        of = q.of;
        a->r[q.row] = pair_sum_in_place(a->sum + p, of);
    }
}
