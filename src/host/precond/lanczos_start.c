#include "host/kernel.h"

static uint32_t hash(uint32_t h)
{
    h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
    h = (h ^ (h >> 13)) * 0xC2B2AE35u;
    return h ^ (h >> 16);
}

KERNEL(lanczos_start)
{
    PARALLEL_FOR (i, a->n) {
        real v = (real)(hash(i + 1) >> 8) * (real)0x1p-23 - 1;
        a->r[i] = v / ROOT(a->d[a->varies ? i : 0]);
    }
}
