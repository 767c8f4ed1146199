#include "host/sum.h"

KERNEL(collatz_quotients)
{
    real least = a->n ? (real)0.0009765625 * (1 + a->ratio[*a->worst]) : 0;
    PARALLEL_FOR (i, a->n) {
        real all[32] = {0}, own = 0;
        uint32_t begin = a->row[i], end = a->row[i + 1];
        for (uint32_t k = begin; k < end; k++) {
            real radius = 1 + a->ratio[a->col[k]];
            real magnitude = a->val[k] < 0 ? -(real)a->val[k] : (real)a->val[k];
            real term = magnitude * (radius > least ? radius : least);
            all[(k - begin) % 32] += term;
            if (a->col[k] == i)
                own = term;
        }
        a->quotient[i] = few_lanes(all, end - begin) / own;
    }
}
