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

/* Elements of tile t: 256, or fewer in the last tile. */
static inline uint32_t tile_length(uint32_t t, uint32_t n)
{
    uint32_t left = n - t * TILE;
    return left < TILE ? left : TILE;
}

/* Defines for a type, with v a tile of 256 values and s the sums of a level:
 *
 *   tile_rows(v, length)   adds values 128, then 64, then 32 apart; values from `length` on are zeros
 *   tile_lanes(v)          adds the remaining 32 values: 16, 8, 4, 2 and 1 apart
 *   tile_sum(v, length)    does both: the sum of a tile, whose values it overwrites
 *   sum_level(s, count)    sums each 256 of the `count` values at s, and writes these sums after them
 *   sum_up(s, tiles)       sums level by level, each after the level below: the sum of all tile sums */
#define DEFINE_SUMS(type, tile_rows, tile_lanes, tile_sum, sum_level, sum_up) \
    static inline void tile_rows(type *restrict v, uint32_t length)           \
    {                                                                         \
        for (uint32_t j = length; j < TILE; j++)                              \
            v[j] = 0;                                                         \
        for (uint32_t j = 0; j < 128; j++)                                    \
            v[j] += v[j + 128];                                               \
        for (uint32_t j = 0; j < 64; j++)                                     \
            v[j] += v[j + 64];                                                \
        for (uint32_t j = 0; j < 32; j++)                                     \
            v[j] += v[j + 32];                                                \
    }                                                                         \
                                                                              \
    static inline type tile_lanes(type *restrict v)                           \
    {                                                                         \
        for (uint32_t j = 0; j < 16; j++)                                     \
            v[j] += v[j + 16];                                                \
        for (uint32_t stride = 8; stride; stride /= 2)                        \
            for (uint32_t j = 0; j < stride; j++)                             \
                v[j] += v[j + stride];                                        \
        return v[0];                                                          \
    }                                                                         \
                                                                              \
    static inline type tile_sum(type *restrict v, uint32_t length)            \
    {                                                                         \
        tile_rows(v, length);                                                 \
        return tile_lanes(v);                                                 \
    }                                                                         \
                                                                              \
    static inline void sum_level(type *s, uint32_t count)                     \
    {                                                                         \
        uint32_t groups = tiles_of(count);                                    \
        for (uint32_t g = 0; g < groups; g++) {                               \
            type v[TILE];                                                     \
            uint32_t length = tile_length(g, count);                          \
            memcpy(v, s + g * TILE, length * sizeof *v);                      \
            s[count + g] = tile_sum(v, length);                               \
        }                                                                     \
    }                                                                         \
                                                                              \
    static inline type sum_up(type *s, uint32_t tiles)                        \
    {                                                                         \
        for (; tiles > 1; tiles = tiles_of(tiles)) {                          \
            sum_level(s, tiles);                                              \
            s += tiles;                                                       \
        }                                                                     \
        return *s;                                                            \
    }

DEFINE_SUMS(scalar_t, tile_rows, tile_lanes, tile_sum, sum_level, sum_up)
DEFINE_SUMS(wide_t, wide_tile_rows, wide_tile_lanes, wide_tile_sum, wide_sum_level, wide_sum_up)

/* tile_lanes(v) for values that never sum to -0 and are +0 from the n-th on; in registers if n is small. */
static inline scalar_t few_lanes(scalar_t *restrict v, uint32_t n)
{
    return n > 8 ? tile_lanes(v) : ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/* The sum of x . y over the `length` elements of a tile. */
static inline scalar_t tile_dot(const scalar_t *restrict x, const scalar_t *restrict y, uint32_t length)
{
    scalar_t v[TILE];
    for (uint32_t j = 0; j < length; j++)
        v[j] = mul(conj(x[j]), y[j]);
    return tile_sum(v, length);
}

/* The sum of the `count` sums at s; each level overwrites the level below. */
static inline scalar_t sum_in_place(scalar_t *s, uint32_t count)
{
    for (; count > 1; count = tiles_of(count))
        for (uint32_t g = 0; g < tiles_of(count); g++) {
            scalar_t v[TILE];
            uint32_t length = tile_length(g, count);
            memcpy(v, s + g * TILE, length * sizeof *v);
            s[g] = tile_sum(v, length);
        }
    return *s;
}

/* Turns the tile sums at s into stripe sums: a stripe is eight of 256 tiles, 32 apart. */
static inline void fold_stripes(scalar_t *s, uint32_t tiles)
{
    for (uint32_t first = 0, to = 0; tiles > 1 && first < tiles; first += TILE) {
        scalar_t v[TILE];
        uint32_t length = tile_length(first / TILE, tiles), stripes = length < 32 ? length : 32;
        memcpy(v, s + first, length * sizeof *v);
        tile_rows(v, length);
        memcpy(s + to, v, stripes * sizeof *v);
        to += stripes;
    }
}

static inline uint32_t stripes_of(uint32_t tiles)
{
    uint32_t rest = tiles % TILE;
    return 32 * (tiles / TILE) + (rest < 32 ? rest : 32);
}

/* Sums each 32 of the `count` stripe sums at s, and writes these sums after them. */
static inline void stripes_level(scalar_t *s, uint32_t count)
{
    for (uint32_t first = 0, g = 0; first < count; first += 32, g++) {
        scalar_t v[32] = {0};
        memcpy(v, s + first, (count - first < 32 ? count - first : 32) * sizeof *v);
        s[count + g] = tile_lanes(v);
    }
}

#define FEW 2048

/* The sum of `count` tile sums, after sum_level has reduced them to at most FEW. */
static inline scalar_t rest_of_tiles(const scalar_t *s, uint32_t count)
{
    for (; count > FEW; count = tiles_of(count))
        s += count;
    scalar_t copy[FEW + FEW / TILE + 1];
    memcpy(copy, s, count * sizeof *copy);
    return sum_up(copy, count);
}

/* rest_of_tiles for stripe sums; sum_stripes has summed more than FEW. */
static inline scalar_t rest_of_stripes(const scalar_t *s, uint32_t tiles)
{
    uint32_t stripes = stripes_of(tiles), groups = tiles_of(tiles);
    if (stripes > FEW)
        return rest_of_tiles(s + stripes, groups);
    if (stripes < 2) /* one tile */
        return s[0];
    scalar_t copy[FEW + FEW / 32 + 1];
    memcpy(copy, s, stripes * sizeof *copy);
    stripes_level(copy, stripes);
    return sum_up(copy + stripes, groups);
}

#endif
