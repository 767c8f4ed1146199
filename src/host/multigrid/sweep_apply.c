#include "host/kernel.h"
#include "host/multigrid/sweep.h"

/* Sweeps a pivot in row i; c is the row's element in the pivot's column. */
static void sweep_row(const struct sweep *w, real *restrict row, const real *restrict column, uint32_t n,
                      uint32_t k, real c)
{
    if (w->dropped)
        return;
    c *= w->scale;
    for (uint32_t j = 0; j < k; j++)
        row[j] -= (c * (-column[j] * w->scale)) * w->rest;
    for (uint32_t j = k; j < n; j++)
        row[j] -= (c * (column[j] * w->scale)) * w->rest;
}

static void sweep_pivot_row(const struct sweep *w, real *restrict row, const real *restrict column,
                            uint32_t n, uint32_t k)
{
    for (uint32_t j = 0; j < n; j++)
        row[j] = swept_row(w, j < k ? -column[j] : column[j]);
    row[k] = w->inverse;
}

KERNEL(sweep_apply)
{
    uint32_t n = a->n, pivots = n - a->k < SWEEP_PIVOTS ? n - a->k : SWEEP_PIVOTS;
    TEAM_FOR(me, i, n, 64, 8)
    {
        real *row = a->matrix + (size_t)n * i;
        for (uint32_t q = 0; q < pivots; q++) {
            const real *column = a->panel + (size_t)n * q;
            struct sweep w = sweep_of(a->factors[SWEEP_FACTORS * q], a->factors[SWEEP_FACTORS * q + 1]);
            uint32_t k = a->k + q;
            if (i == k) {
                sweep_pivot_row(&w, row, column, n, k);
            } else {
                sweep_row(&w, row, column, n, k, column[i]);
                row[k] = swept_column(&w, column[i]);
            }
        }
    }
}
