#include "host/kernel.h"
#include "shaders/sparse/exponents.h"

KERNEL(row_weights)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t word = a->magnitude[i];
        int e = (int)LOG_ROUNDED(word) - (LOG_BIAS >> LOG_BITS);
        int most = (int)a->most, exponent = e < -most ? -most : e > most ? most : e;
        a->weight[i] = word ? ldexp(1, -exponent) : 1;
    }
}
