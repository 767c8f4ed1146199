#include "host/multigrid/rounding.h"
#include "host/sum.h"

/* The size by which the pivot is judged. */
static real size_of_pivot(const struct sweep_pivot_args *a)
{
    const real *x = a->from + (size_t)a->n * a->k;
    real lane[32] = {0};
    for (uint32_t i = 0; i < a->k; i++)
        lane[i % 32] += (x[i] * x[i]) * a->reference[i];
    return tile_lanes(lane) + a->reference[a->k];
}

/* A row of the result, but for its entry in column k. */
static void sweep_row(const struct sweep_pivot_args *a, uint32_t i, real inverse)
{
    const real *restrict from = a->from + (size_t)a->n * i, *restrict pivots = a->from + (size_t)a->n * a->k;
    real *restrict to = a->to + (size_t)a->n * i, c = from[a->k];
    for (uint32_t j = 0; j < a->n; j++)
        to[j] = from[j] - (c * pivots[j]) * inverse;
}

KERNEL(sweep_pivot)
{
    uint32_t n = a->n, k = a->k;
    real pivot = a->from[(size_t)n * k + k];
    bool dropped = is_rounding(pivot, size_of_pivot(a));
    real inverse = dropped ? 0 : 1 / pivot;
    TEAM_FOR(me, i, n, 64, 8)
    {
        real *to = a->to + (size_t)n * i;
        const real *from = a->from + (size_t)n * i;
        if (i == k) {
            for (uint32_t j = 0; j < n; j++)
                to[j] = dropped ? 0 : from[j] * inverse;
            to[k] = inverse;
        } else {
            if (dropped)
                memcpy(to, from, n * sizeof *to);
            else
                sweep_row(a, i, inverse);
            to[k] = dropped ? 0 : -(from[k] * inverse);
        }
    }
}
