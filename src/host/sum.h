/* The canonical order of sums on the host; shaders/sum.glsl is its twin. */
#ifndef VKS_HOST_SUM_H
#define VKS_HOST_SUM_H

#include "host/kernel.h"

#include <string.h>

#define TILE 256

static inline uint32_t tiles_of(uint32_t n)
{
    return n ? n / TILE + (n % TILE != 0) : 1;
}

/* Elements of tile t: 256 but for the last. */
static inline uint32_t tile_length(uint32_t t, uint32_t n)
{
    uint32_t left = n - t * TILE;
    return left < TILE ? left : TILE;
}

/* Defines, for a type:
 *   tile_sum   the sum of the tile v (which it uses up), whose terms from `length` on count as zero;
 *   sum_level  one level: the sums of the groups of 256 of the `count` values at s, which follow them;
 *   sum_up     the whole sum of the tile sums at s, level by level, each of which follows the one below. */
#define DEFINE_SUMS(type, tile_sum, sum_level, sum_up)             \
    static inline type tile_sum(type *restrict v, uint32_t length) \
    {                                                              \
        for (uint32_t j = length; j < TILE; j++)                   \
            v[j] = 0;                                              \
        for (uint32_t j = 0; j < 128; j++)                         \
            v[j] += v[j + 128];                                    \
        for (uint32_t j = 0; j < 64; j++)                          \
            v[j] += v[j + 64];                                     \
        for (uint32_t j = 0; j < 32; j++)                          \
            v[j] += v[j + 32];                                     \
        for (uint32_t j = 0; j < 16; j++)                          \
            v[j] += v[j + 16];                                     \
        for (uint32_t stride = 8; stride; stride /= 2)             \
            for (uint32_t j = 0; j < stride; j++)                  \
                v[j] += v[j + stride];                             \
        return v[0];                                               \
    }                                                              \
                                                                   \
    static inline void sum_level(type *s, uint32_t count)          \
    {                                                              \
        uint32_t groups = tiles_of(count);                         \
        for (uint32_t g = 0; g < groups; g++) {                    \
            type v[TILE];                                          \
            uint32_t length = tile_length(g, count);               \
            memcpy(v, s + g * TILE, length * sizeof *v);           \
            s[count + g] = tile_sum(v, length);                    \
        }                                                          \
    }                                                              \
                                                                   \
    static inline type sum_up(type *s, uint32_t tiles)             \
    {                                                              \
        for (; tiles > 1; tiles = tiles_of(tiles)) {               \
            sum_level(s, tiles);                                   \
            s += tiles;                                            \
        }                                                          \
        return *s;                                                 \
    }

DEFINE_SUMS(real, tile_sum, sum_level, sum_up)
DEFINE_SUMS(double, wide_tile_sum, wide_sum_level, wide_sum_up)

#define FEW 2048

/* The whole sum of tile sums that sum_level has brought down to FEW. */
static inline real sum_rest(const real *s, uint32_t tiles)
{
    for (; tiles > FEW; tiles = tiles_of(tiles))
        s += tiles;
    real copy[FEW + FEW / TILE + 1];
    memcpy(copy, s, tiles * sizeof *copy);
    return sum_up(copy, tiles);
}

#endif
