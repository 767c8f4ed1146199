#include "host/sparse/diagonal.h"
#include "host/sum.h"

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
