#include "device/search.h"
#include "host/kernel.h"

/* The block at row i and column j of A, which must exist. */
static const real *find(const struct smoother_blocks_args *a, uint32_t i, uint32_t j)
{
    uint32_t first = first_not_below(a->col, a->row[i], a->row[i + 1], j);
    return a->val + (size_t)first * a->size * a->size;
}

KERNEL(smoother_blocks)
{
    uint32_t size = a->size;
    real weight = *a->w;
    PARALLEL_FOR (i, a->n)
        for (uint32_t e = a->to_row[i]; e < a->to_row[i + 1]; e++) {
            const real *from = find(a, i, a->to_col[e]);
            real *to = a->to_val + (size_t)e * size * size;
            for (uint32_t q = 0; q < size * size; q++) {
                bool diagonal = a->to_col[e] == i && q / size == q % size;
                to[q] = diagonal ? 1 - weight : -((weight * a->inverse[size * i + q / size]) * from[q]);
            }
        }
}
