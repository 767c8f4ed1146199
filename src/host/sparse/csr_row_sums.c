#include "host/sum.h"

/* As in shaders/sparse/diagonal.glsl. */
static real inverted(uint32_t *flags, uint32_t i, real d, real same)
{
    real inverse = 1 / d;
    if (d == 0)
        take_least(&flags[0], i);
    else if (!isfinite(d) || !isfinite(inverse))
        take_least(&flags[2], i);
    else if (d < 0)
        take_least(&flags[1], i);
    if (d != same)
        take_least(&flags[3], i);
    return inverse;
}

KERNEL(csr_row_sums)
{
    PARALLEL_FOR (i, a->n) {
        real lanes[32] = {0};
        uint32_t begin = a->row[i], end = a->row[i + 1];
        for (uint32_t k = begin; k < end; k++)
            lanes[(k - begin) % 32] += magnitude((scalar_t)a->val[k]);
        real sum = few_lanes(lanes, end - begin);
        real inverse = real_part(inverted(a->flags, i, sum, sum));
        a->d[i] = sum == 0 ? 1 : inverse;
    }
}
