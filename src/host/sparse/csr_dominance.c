#include "host/kernel.h"

/* The halving tree over 32 lanes. */
static real of_lanes(real *v)
{
    for (uint32_t stride = 16; stride; stride /= 2)
        for (uint32_t j = 0; j < stride; j++)
            v[j] += v[j + stride];
    return v[0];
}

KERNEL(csr_dominance)
{
    PARALLEL_FOR (i, a->n) {
        real others[32] = {0}, diagonal = 0;
        uint32_t begin = a->row[i], end = a->row[i + 1];
        for (uint32_t k = begin; k < end; k++) {
            real v = (real)fabs(a->val[k]);
            if (a->col[k] == i)
                diagonal = v;
            else
                others[(k - begin) % 32] += v;
        }
        a->ratio[i] = of_lanes(others) / diagonal;
    }
}
