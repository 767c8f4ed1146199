#include "host/sparse/long.h"
#include "host/sum.h"

KERNEL(long_sums)
{
    PARALLEL_FOR (h, a->heads) {
        uint32_t p = a->head[h];
        struct long_piece q = piece_at(a->list, p);
        scalar_t v[TILE];
        memcpy(v, a->sum + p, q.of * sizeof *v);
        a->y[q.row] = tile_sum(v, q.of);
    }
}
