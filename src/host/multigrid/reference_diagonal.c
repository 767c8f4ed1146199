#include "device/search.h"
#include "host/multigrid/lanes.h"
#include "host/multigrid/rounding.h"

static bool is_empty(const struct reference_diagonal_args *a, uint32_t c, real m)
{
    uint32_t size = a->size, i = c / size, end = a->row[i + 1];
    uint32_t at = first_not_below(a->col, a->row[i], end, i);
    return at < end && a->col[at] == i &&
           is_rounding(a->val[(size_t)size * size * at + (size_t)(size + 1) * (c % size)], m);
}

KERNEL(reference_diagonal)
{
    PARALLEL_FOR (c, a->n) {
        real sum[32] = {0};
        uint32_t begin = a->r_row[c], end = a->r_row[c + 1];
        for (uint32_t k = begin; k < end; k++)
            sum[(k - begin) & (a->lanes - 1)] += (a->r_val[k] * a->r_val[k]) * a->fine[a->r_col[k]];
        a->reference[c] = lanes_sum(sum, a->lanes);
        a->empty[c] = is_empty(a, (uint32_t)c, a->reference[c]);
    }
}
