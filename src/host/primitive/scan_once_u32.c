#include "host/kernel.h"

/* Integer sums do not depend on the order, so each thread adds up its part, then writes its prefix sums. */
enum { PIECE = 65536 };

KERNEL(scan_once_u32)
{
    const uint32_t *x = a->x, n = a->n, pieces = n / PIECE + (n % PIECE != 0);
    uint32_t *y = a->y, *before = a->p; /* two words for each 4,096 elements: more than enough */
    TEAM_FOR(me, t, pieces, 2, 1)
    {
        uint32_t sum = 0;
        for (uint32_t i = t * PIECE, j = 0; j < PIECE && i < n; i++, j++)
            sum += x[i];
        before[t] = sum;
    }
    for (uint32_t t = 0, sum = 0; LEADS && t < pieces; t++) {
        uint32_t own = before[t];
        before[t] = sum;
        sum += own;
    }
    TEAM_FOR(me, t, pieces, 2, 1)
    {
        uint32_t sum = before[t];
        for (uint32_t i = t * PIECE, j = 0; j < PIECE && i < n; i++, j++) {
            uint32_t with = sum + x[i];
            y[i] = a->exclusive ? sum : with;
            sum = with;
        }
    }
}
