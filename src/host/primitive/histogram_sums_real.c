#include "host/kernel.h"

KERNEL(histogram_sums_real)
{
    PARALLEL_FOR (bin, a->count + 1) {
        real sum = 0;
        for (size_t piece = 0; piece < a->pieces; piece++)
            sum += a->sums[piece * ((size_t)a->count + 1) + bin];
        *(bin < a->count ? a->bins + bin : a->outside) = sum;
    }
}
