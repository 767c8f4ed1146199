#include "host/fsai/solve.h"

/* a_ij, or 0 if not stored */
static scalar_t entry_of(const struct rows_of_A *A, uint32_t i, uint32_t j)
{
    uint32_t last = A->row[i + (size_t)1], k = first_not_below(A->col, A->row[i], last, j);
    return k < last && A->col[k] == j ? A->val[k] : 0;
}

static scalar_t pivot_of(const struct fsai_scale_args *a, uint32_t i)
{
    const struct rows_of_A *A = ROWS_OF_A(a);
    scalar_t d = 0;
    for (uint32_t c = a->u_row[i]; c < a->u_row[i + (size_t)1]; c++) {
        scalar_t sum = 0;
        for (uint32_t q = a->l_row[i]; q < a->l_row[i + (size_t)1]; q++)
            sum += mul(a->l_val[q], entry_of(A, a->l_col[q], a->u_col[c]));
        d += mul(sum, a->u_val[c]);
    }
    return d;
}

/* The divisor of a row. *alone: the row keeps only its diagonal. */
static real divisor(const struct fsai_scale_args *a, real d, real scale, bool *alone)
{
    *alone = a->positive && !(isfinite(d) && d > (real)FSAI_ROUNDING * scale);
    if (*alone)
        d = scale;
    real least = (real)FSAI_LEAST_PIVOT * scale;
    if (!a->positive && !(isfinite(d) && (d < 0 ? -d : d) > least))
        d = d < 0 ? -least : least;
    return a->root ? ROOT(d < 0 ? -d : d) : d;
}

KERNEL(fsai_scale)
{
    TEAM_FOR(me, i, a->n, 64, 8)
    {
        bool alone;
        real by = divisor(a, real_part(pivot_of(a, i)), a->size[i], &alone);
        uint32_t last = a->l_row[i + (size_t)1];
        for (uint32_t q = a->l_row[i]; q < last; q++) {
            a->l_val[q] = alone && q + 1 < last ? 0 : divide(a->l_val[q], by);
            if (!finite(a->l_val[q]))
                take_least(&a->flags[3], i);
        }
    }
}
