#include "host/kernel.h"

KERNEL(total_words)
{
    uint64_t sum = 0;
    PARALLEL_FOR (i, a->n)
        sum += a->x[i];
    TEAM_ONE_AT_A_TIME(me)
    {
        sum += (uint64_t)a->total[1] << 32 | a->total[0];
        a->total[0] = (uint32_t)sum;
        a->total[1] = (uint32_t)(sum >> 32);
    }
}
