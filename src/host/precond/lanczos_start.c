#include "host/hash.h"
#include "host/kernel.h"

KERNEL(lanczos_start)
{
    PARALLEL_FOR (i, a->n) {
        real v = (real)(hash(i + 1) >> 8) * (real)0x1p-23 - 1;
        a->r[i] = v / ROOT(a->d[a->varies ? i : 0]);
    }
}
