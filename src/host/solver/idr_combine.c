#include "host/solver/idr.h"

KERNEL(idr_combine)
{
    const struct idr_numbers *w = a->w;
    real omega = w->omega;
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        uint32_t first = t * TILE, length = tile_length(t, a->n);
        real b[TILE];
        for (uint32_t j = 0; j < length; j++)
            b[j] = omega * a->z[first + j];
        for (uint32_t i = a->k; i < IDR_S; i++) {
            const real *restrict u = a->u + (size_t)i * a->n + first;
            for (uint32_t j = 0; j < length; j++)
                b[j] += w->c[i] * u[j];
        }
        memcpy(a->u + (size_t)a->k * a->n + first, b, length * sizeof *b);
    }
}
