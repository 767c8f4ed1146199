#include "host/sum.h"

KERNEL(block_apply)
{
    uint32_t tiles = tiles_of(a->n);
    FOR_TILES (t, tiles) {
        uint32_t length = tile_length(t, a->n);
        scalar_t v[TILE];
        for (uint32_t k = 0; k < length; k++) {
            uint32_t i = t * TILE + k, b = a->of[i], begin = a->first[b], rows = a->first[b + 1] - begin;
            const scalar_t *restrict blocks = a->blocks + a->at[b] + (i - begin), *restrict r = a->r + begin;
            scalar_t sum = 0;
            for (uint32_t j = 0; j < rows; j++)
                sum += mul(blocks[j * rows], r[j]);
            a->z[i] = sum;
            v[k] = mul(conj(a->r[i]), sum);
        }
        a->s[a->to + t] = tile_sum(v, length);
    }
    if (LEADS)
        fold_stripes(a->s + a->to, tiles);
}
