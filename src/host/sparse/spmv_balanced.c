#include "host/sparse/balanced.h"

static inline scalar_t x_of(const struct spmv_balanced_args *a, uint32_t k)
{
    return k < a->cols ? a->x[k] : a->hot_x[k - a->cols];
}

/* Adds terms to the sums of lanes, which the first threads of each team hold: step by step, and in each step
 * by the threads of a lane in order. */
static inline void add_terms(const struct spmv_balanced_args *a, uint32_t at, uint32_t stop, uint32_t team,
                             uint32_t lanes, scalar_t total[32])
{
    for (; at < stop; at += 32) {
        scalar_t p[32] = {0};
        uint32_t count = stop - at < 32 ? stop - at : 32;
        for (uint32_t j = 0; j < count; j++) {
            uint32_t k = a->col[at + j];
            p[j] = k != BALANCED_NOTHING ? mul(a->val[at + j], x_of(a, k)) : 0;
        }
        if (team == lanes)
            for (uint32_t j = 0; j < 32; j++)
                total[j] += p[j];
        else
            for (uint32_t j = 0; j < 32; j++)
                total[j - j % team + j % team % lanes] += p[j];
    }
}

/* The sum of a row from the sums of its lanes. */
static inline scalar_t join_lanes(scalar_t *v, uint32_t lanes)
{
    for (uint32_t stride = lanes / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++)
            v[l] += v[l + stride];
    return v[0];
}

KERNEL(spmv_balanced)
{
    const uint32_t above[] = {a->above128, a->above64, a->above32};
    FOR_SLICES(s, a->slices)
    {
        struct balanced_slice b = balanced_slice_at(s, above, a->n, a->lanes);
        scalar_t total[32] = {0};
        add_terms(a, a->slice[s], a->slice[s + 1], b.team, a->lanes, total);
        for (uint32_t j = 0, t = b.first; j < 32 && t < b.end; j += b.team, t++)
            if (!is_long(a->bits, a->order[t]))
                a->y[a->order[t]] = join_lanes(total + j, a->lanes);
    }
    uint32_t first = a->slice[a->slices];
    FOR_PIECES(p, a->pieces)
    {
        struct long_piece q = piece_at(a->list, p);
        scalar_t total[32] = {0};
        add_terms(a, first + a->start[p], first + a->start[p + 1], 32, 32, total);
        *(q.of == 1 ? a->y + q.row : a->sum + p) = join_lanes(total, 32);
    }
}
