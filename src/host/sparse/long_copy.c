#include "host/sparse/long.h"

#include <string.h>

KERNEL(long_copy)
{
    FOR_PIECES(p, a->pieces)
    {
        struct long_piece q = piece_at(a->list, p);
        size_t count = q.end - q.begin;
        uint32_t *col = a->col + q.begin, *own_col = a->own_col + a->start[p];
        scalar_t *val = a->val + q.begin, *own_val = a->own_val + a->start[p];
        memcpy(a->back ? col : own_col, a->back ? own_col : col, count * sizeof *col);
        memcpy(a->back ? val : own_val, a->back ? own_val : val, count * sizeof *val);
    }
}
