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

#define FEW 2048

/* Defines, for a type:
 *   tile_sum   the sum of the tile v (which it uses up), whose terms from `length` on count as zero;
 *   sum_up     hands tile sums up the tree until at most `until` are left: each level follows the one below in s;
 *   sum_rest   the whole sum, from what sum_up left at FEW;
 *   sum_whole  the whole sum, from the tile sums. */
#define DEFINE_SUMS(type, tile_sum, sum_up, sum_rest, sum_whole)                                              \
    static inline type tile_sum(type *restrict v, uint32_t length)                                            \
    {                                                                                                         \
        for (uint32_t j = length; j < TILE; j++)                                                              \
            v[j] = 0;                                                                                         \
        for (uint32_t j = 0; j < 128; j++)                                                                    \
            v[j] += v[j + 128];                                                                               \
        for (uint32_t j = 0; j < 64; j++)                                                                     \
            v[j] += v[j + 64];                                                                                \
        for (uint32_t j = 0; j < 32; j++)                                                                     \
            v[j] += v[j + 32];                                                                                \
        for (uint32_t j = 0; j < 16; j++)                                                                     \
            v[j] += v[j + 16];                                                                                \
        for (uint32_t stride = 8; stride; stride /= 2)                                                        \
            for (uint32_t j = 0; j < stride; j++)                                                             \
                v[j] += v[j + stride];                                                                        \
        return v[0];                                                                                          \
    }                                                                                                         \
                                                                                                              \
    static inline type *sum_up(type *s, uint32_t tiles, uint32_t until)                                       \
    {                                                                                                         \
        while (tiles > until) {                                                                               \
            uint32_t groups = tiles_of(tiles);                                                                \
            for (uint32_t g = 0; g < groups; g++) {                                                           \
                type v[TILE];                                                                                 \
                uint32_t length = tile_length(g, tiles);                                                      \
                memcpy(v, s + g * TILE, length * sizeof *v);                                                  \
                s[tiles + g] = tile_sum(v, length);                                                           \
            }                                                                                                 \
            s += tiles;                                                                                       \
            tiles = groups;                                                                                   \
        }                                                                                                     \
        return s;                                                                                             \
    }                                                                                                         \
                                                                                                              \
    static inline type sum_rest(const type *s, uint32_t tiles)                                                \
    {                                                                                                         \
        for (; tiles > FEW; tiles = tiles_of(tiles))                                                          \
            s += tiles;                                                                                       \
        type copy[FEW + FEW / TILE + 1];                                                                      \
        memcpy(copy, s, tiles * sizeof *copy);                                                                \
        return *sum_up(copy, tiles, 1);                                                                       \
    }                                                                                                         \
                                                                                                              \
    static inline type sum_whole(type *s, uint32_t tiles)                                                     \
    {                                                                                                         \
        return *sum_up(s, tiles, 1);                                                                          \
    }

DEFINE_SUMS(real, tile_sum, sum_up, sum_rest, sum_whole)
DEFINE_SUMS(double, wide_tile_sum, wide_sum_up, wide_sum_rest, wide_sum_whole)

#endif
