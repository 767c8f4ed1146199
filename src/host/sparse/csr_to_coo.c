#include "host/kernel.h"

static uint32_t place_of(const struct csr_to_coo_args *a, uint32_t e)
{
    uint32_t from = 0, to = a->pieces;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (a->list[4 * (size_t)middle] - a->start[middle] <= e)
            from = middle + 1;
        else
            to = middle;
    }
    return a->pieces ? e + a->start[from] : e;
}

/* The row of entry k: the first that ends after it. */
static uint32_t row_of(const uint32_t *row, uint32_t n, uint32_t k)
{
    uint32_t from = 1, to = n;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (row[middle] <= k)
            from = middle + 1;
        else
            to = middle;
    }
    return from - 1;
}

KERNEL(csr_to_coo)
{
    PARALLEL_FOR (e, a->entries) {
        uint32_t k = place_of(a, e);
        if (a->back) {
            a->col[k] = a->to_col[e];
            a->val[k] = a->to_val[e];
            continue;
        }
        if (a->to_row)
            a->to_row[e] = row_of(a->row, a->n, k);
        if (a->to_place)
            a->to_place[e] = k;
        if (a->to_col)
            a->to_col[e] = a->col[k];
        if (a->to_val)
            a->to_val[e] = a->val[k];
    }
}
