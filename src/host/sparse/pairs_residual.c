#include "host/pairs.h"
#include "shaders/sparse/long.h"

KERNEL(pairs_residual)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t begin = a->row[i], end = a->row[i + 1];
        struct pair sum =
            end - begin > LONG_ROW ? a->r[i] : pair_row_sum(a->col, a->val, a->x, begin, end, a->lanes);
        a->r[i] = pair_plus(a->b[i], (struct pair){-sum.high, -sum.low});
    }
}
