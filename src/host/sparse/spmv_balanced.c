#include "host/solver/control.h"
#include "host/sparse/balanced.h"
#include "host/sparse/spmv_long.h"

/* The threads of a slice are lanes of SIMD registers. */
static inline void slice_terms(const struct spmv_balanced_args *a, uint32_t s, real total[32])
{
    for (uint32_t at = a->slice[s]; at < a->slice[s + 1]; at += 32)
        for (uint32_t j = 0; j < 32; j++) {
            uint32_t k = a->col[at + j];
            total[j] += k != NOTHING ? a->val[at + j] * a->x[k] : 0;
        }
}

KERNEL(spmv_balanced)
{
    if (a->c && !alive(a->c))
        return;
    FOR_SLICES(s, a->slices)
    {
        real total[32] = {0};
        slice_terms(a, s, total);
        for (uint32_t stride = a->lanes / 2; stride; stride /= 2)
            for (uint32_t j = 0; j < 32; j++)
                if (j % a->lanes < stride)
                    total[j] += total[j + stride];
        for (uint32_t j = 0, t = s * (32 / a->lanes); j < 32 && t < a->n; j += a->lanes, t++)
            if (!is_long(a->bits, a->order[t]))
                a->y[a->order[t]] = total[j];
    }
    FOR_PIECES(p, a->pieces)
    sum_piece(a->list, NULL, a->long_col, a->long_val, a->x, a->y, a->sum, p);
}
