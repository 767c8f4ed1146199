#include "host/kernel.h"

KERNEL(arithmetic)
{
    PARALLEL_FOR (i, a->n) {
        real x = a->x[i], y = a->y[i], *results = a->results + i;
        results[0] = x + y;
        results[a->n] = x - y;
        results[2 * (size_t)a->n] = x * y;
        results[3 * (size_t)a->n] = x / y;
        results[4 * (size_t)a->n] = ROOT(x);
        results[5 * (size_t)a->n] = x * y + x;
        results[6 * (size_t)a->n] = FMA(x, y, i & 1 ? x : -(x * y));
        results[7 * (size_t)a->n] = 1 / x;
    }
}
