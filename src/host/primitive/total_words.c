#include "host/kernel.h"

KERNEL(total_words)
{
    uint64_t sum = 0;
    PRAGMA(omp parallel for reduction(+ : sum) if (a->n >= PARALLEL_FROM))
    for (uint32_t i = 0; i < a->n; i++)
        sum += a->x[i];
    sum += (uint64_t)a->total[1] << 32 | a->total[0];
    a->total[0] = (uint32_t)sum;
    a->total[1] = (uint32_t)(sum >> 32);
}
