#include "host/multigrid/powers.h"
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

/* By what elements are multiplied, and then their product. */
struct factors {
    real scale, rest;
};

static struct factors factors_of(real pivot, real inverse)
{
    int half_exponent = exponent_of(pivot) / 2;
    real unit = power_of_two(half_exponent);
    return (struct factors){power_of_two(-half_exponent), (inverse * unit) * unit};
}

/* A row of the result, but for its entry in column k. */
static void sweep_row(const struct sweep_pivot_args *a, uint32_t i, struct factors f)
{
    const real *restrict from = a->from + (size_t)a->n * i, *restrict pivots = a->from + (size_t)a->n * a->k;
    real *restrict to = a->to + (size_t)a->n * i, c = from[a->k] * f.scale;
    for (uint32_t j = 0; j < a->n; j++)
        to[j] = from[j] - (c * (pivots[j] * f.scale)) * f.rest;
}

KERNEL(sweep_pivot)
{
    uint32_t n = a->n, k = a->k;
    real pivot = a->from[(size_t)n * k + k];
    bool dropped = is_rounding(pivot, size_of_pivot(a));
    real inverse = dropped ? 0 : 1 / pivot;
    struct factors f = factors_of(pivot, inverse);
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
                sweep_row(a, i, f);
            to[k] = dropped ? 0 : -(from[k] * inverse);
        }
    }
}
