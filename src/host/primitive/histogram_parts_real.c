#include "host/kernel.h"

#include <string.h>

/* The bins of one tile, found by hashing: at most 256. */
enum { SLOTS = 512 };

static void add_tile(const struct histogram_parts_real_args *a, uint32_t tile, real *sums)
{
    uint32_t bin[SLOTS], used[256], count = 0, first = 256 * tile;
    real own[SLOTS];
    memset(bin, 0xFF, sizeof bin);
    for (uint32_t j = 0; j < 256 && j < a->n - first; j++) {
        uint32_t v = a->from[first + j] < a->count ? a->from[first + j] : a->count;
        uint32_t at = v * 2654435761u >> 23;
        while (bin[at] != v && bin[at] != UINT32_MAX)
            at = (at + 1) % SLOTS;
        if (bin[at] != v) {
            bin[at] = v;
            own[at] = 0;
            used[count++] = at;
        }
        own[at] += a->weights[first + j];
    }
    for (uint32_t k = 0; k < count; k++)
        sums[bin[used[k]]] += own[used[k]];
}

KERNEL(histogram_parts_real)
{
    uint32_t tiles = a->n / 256 + (a->n % 256 != 0);
    TEAM_FOR(me, piece, a->pieces, tiles > 8 ? 2 : UINT32_MAX, 1)
    {
        real *sums = a->sums + piece * ((size_t)a->count + 1);
        memset(sums, 0, ((size_t)a->count + 1) * sizeof *sums);
        for (uint32_t t = piece * a->span; t < (piece + 1) * a->span && t < tiles; t++)
            add_tile(a, t, sums);
    }
}
