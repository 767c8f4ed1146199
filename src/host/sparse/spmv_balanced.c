#include "host/solver/control.h"
#include "host/sparse/balanced.h"
#include "host/sparse/spmv_long.h"

/* The sums of lanes, in the places of the first threads of each team: one step after the other, and in each
 * the threads of a lane. */
static inline void slice_terms(const struct spmv_balanced_args *a, uint32_t s, uint32_t team, real total[32])
{
    for (uint32_t at = a->slice[s]; at < a->slice[s + 1]; at += 32) {
        real p[32];
        for (uint32_t j = 0; j < 32; j++) {
            uint32_t k = a->col[at + j];
            p[j] = k != BALANCED_NOTHING ? a->val[at + j] * a->x[k] : 0;
        }
        for (uint32_t first = 0; first < 32; first += team)
            for (uint32_t j = 0; j < team; j++)
                total[first + j % a->lanes] += p[first + j];
    }
}

/* The sum of a row, from those of its lanes. */
static inline real join_lanes(real *v, uint32_t lanes)
{
    for (uint32_t stride = lanes / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++)
            v[l] += v[l + stride];
    return v[0];
}

KERNEL(spmv_balanced)
{
    if (a->c && !alive(a->c))
        return;
    const uint32_t above[] = {a->above128, a->above64, a->above32};
    FOR_SLICES(s, a->slices)
    {
        struct balanced_slice b = balanced_slice_at(s, above, a->n, a->lanes);
        real total[32] = {0};
        slice_terms(a, s, b.team, total);
        for (uint32_t j = 0, t = b.first; j < 32 && t < b.end; j += b.team, t++)
            if (!is_long(a->bits, a->order[t]))
                a->y[a->order[t]] = join_lanes(total + j, a->lanes);
    }
    FOR_PIECES(p, a->pieces)
    sum_piece(a->list, NULL, a->long_col, a->long_val, a->x, a->y, a->sum, p);
}
