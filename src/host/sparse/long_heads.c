#include "host/sparse/long.h"

KERNEL(long_heads)
{
    PARALLEL_FOR (p, a->pieces) {
        struct long_piece q = piece_at(a->list, p);
        bool first = p == 0 || piece_at(a->list, p - 1).row != q.row;
        a->flag[p] = first && q.of >= a->least && q.of <= a->most;
    }
}
