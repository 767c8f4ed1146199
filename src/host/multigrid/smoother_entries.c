#include "device/search.h"
#include "host/multigrid/lanes.h"

/* The position of column j in row i of S, or the end of the row if absent. */
static uint32_t find(const struct smoother_entries_args *a, uint32_t i, uint32_t j)
{
    uint32_t last = a->to_row[i + 1], e = first_not_below(a->to_col, a->to_row[i], last, j);
    return e < last && a->to_col[e] == j ? e : last;
}

static real filtered(const struct smoother_entries_args *a, uint32_t i)
{
    real weak[32] = {0}, diagonal = 0;
    for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++) {
        if (a->col[k] == i)
            diagonal = a->val[k];
        else if (find(a, i, a->col[k]) == a->to_row[i + 1])
            weak[(k - a->row[i]) & (a->lanes - 1)] += a->val[k];
    }
    real lumped = diagonal + lanes_sum(weak, a->lanes);
    return lumped < (real)LEAST_FILTERED * diagonal ? diagonal : lumped;
}

KERNEL(smoother_entries)
{
    real weight = *a->w;
    PARALLEL_FOR (i, a->n) {
        real factor = weight / filtered(a, i);
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++) {
            uint32_t j = a->col[k], e = find(a, i, j);
            if (e < a->to_row[i + 1])
                a->to_val[e] = j == i ? 1 - weight : -(factor * a->val[k]);
        }
    }
}
