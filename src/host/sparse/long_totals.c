#include "host/sparse/long.h"
#include "host/sum.h"

KERNEL(long_totals)
{
    for (uint32_t h = 0; h < a->heads; h++) {
        struct long_piece q = piece_at(a->list, a->head[h]);
        a->y[q.row] = sum_in_place(a->sum + a->head[h], q.of);
    }
}
