#include "host/kernel.h"
#include "shaders/sparse/exponents.h"

KERNEL(ruiz_step)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t m = a->most[i];
        if (m)
            a->scale[i] -= (m >> 1) - (LOG_BIAS >> 1);
        a->most[i] = 0;
    }
}
