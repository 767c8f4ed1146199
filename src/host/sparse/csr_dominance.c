#include "host/sum.h"

KERNEL(csr_dominance)
{
    PARALLEL_FOR (i, a->n) {
        real others[32] = {0}, diagonal = 0;
        uint32_t begin = a->row[i], end = a->row[i + 1];
        for (uint32_t k = begin; k < end; k++) {
            real v = magnitude((scalar_t)a->val[k]);
            if (a->col[k] == i)
                diagonal = v;
            else
                others[(k - begin) % 32] += v;
        }
        a->ratio[i] = few_lanes(others, end - begin) / diagonal;
    }
}
