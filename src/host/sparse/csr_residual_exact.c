#include "host/kernel.h"
#include "host/wide_pairs.h"

static struct wide_pair row_sum(const struct csr_residual_exact_args *a, uint32_t begin, uint32_t end)
{
    struct wide_pair lane[32] = {{0, 0}};
    for (uint32_t k = begin, l = 0; k < end; k++, l = (l + 1) % a->lanes)
        lane[l] = wide_pair_plus(lane[l], wide_exact_product((double)a->val[k], (double)a->x[a->col[k]]));
    for (uint32_t stride = a->lanes / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++)
            lane[l] = wide_pair_plus(lane[l], lane[l + stride]);
    return lane[0];
}

KERNEL(csr_residual_exact)
{
    PARALLEL_FOR (i, a->n) {
        struct wide_pair sum = row_sum(a, a->row[i], a->row[i + 1]), b = {(double)a->b[i], 0};
        if (!a->fixpoint)
            sum = (struct wide_pair){-sum.high, -sum.low};
        struct wide_pair r = wide_pair_plus(b, sum);
        if (a->fixpoint)
            r = wide_pair_plus(r, (struct wide_pair){-(double)a->x[i], 0});
        a->r[i] = r.high;
    }
}
