#include "host/kernel.h"
#include "shaders/sparse/exponents.h"

KERNEL(ruiz_round)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t above = a->scale[i] + LOG_BIAS + (1u << (LOG_BITS - 1));
        int e = (int)(above >> LOG_BITS) - (LOG_BIAS >> LOG_BITS), most = (int)a->most;
        a->exponent[i] = (uint32_t)(e < -most ? -most : e > most ? most : e);
    }
}
