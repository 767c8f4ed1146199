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
 *
 *   tile_rows   the strides 128, 64 and 32 of the tree over the tile v, whose terms from `length` on count as
 * 0 tile_lanes  the other strides, over the 32 values that are left tile_sum    both: the sum of the tile v,
 * which is used up sum_level   one level: the sums of the groups of 256 of the `count` values at s, which
 * follow them sum_up      the whole sum of the tile sums at s, level by level, each of which follows the one
 * below */
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

DEFINE_SUMS(real, tile_rows, tile_lanes, tile_sum, sum_level, sum_up)
DEFINE_SUMS(double, wide_tile_rows, wide_tile_lanes, wide_tile_sum, wide_sum_level, wide_sum_up)

/* The sum of x . y over the `length` elements of a tile. */
static inline real tile_dot(const real *restrict x, const real *restrict y, uint32_t length)
{
    real v[TILE];
    for (uint32_t j = 0; j < length; j++)
        v[j] = x[j] * y[j];
    return tile_sum(v, length);
}

/* The whole sum of the `count` sums at s, in whose place the levels go. */
static inline real sum_in_place(real *s, uint32_t count)
{
    for (; count > 1; count = tiles_of(count))
        for (uint32_t g = 0; g < tiles_of(count); g++) {
            real v[TILE];
            uint32_t length = tile_length(g, count);
            memcpy(v, s + g * TILE, length * sizeof *v);
            s[g] = tile_sum(v, length);
        }
    return *s;
}

/* The tile sums at s become sums of stripes: of the eight tiles of a group of 256 that are 32 apart. */
static inline void fold_stripes(real *s, uint32_t tiles)
{
    for (uint32_t first = 0, to = 0; tiles > 1 && first < tiles; first += TILE) {
        real v[TILE];
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

/* The sums of the groups of 32 of the `count` stripe sums at s, which follow them. */
static inline void stripes_level(real *s, uint32_t count)
{
    for (uint32_t first = 0, g = 0; first < count; first += 32, g++) {
        real v[32] = {0};
        memcpy(v, s + first, (count - first < 32 ? count - first : 32) * sizeof *v);
        s[count + g] = tile_lanes(v);
    }
}

#define FEW 2048

/* The whole sum of `count` sums of groups, tiles at first, that sum_level has brought down to FEW. */
static inline real rest_of_tiles(const real *s, uint32_t count)
{
    for (; count > FEW; count = tiles_of(count))
        s += count;
    real copy[FEW + FEW / TILE + 1];
    memcpy(copy, s, count * sizeof *copy);
    return sum_up(copy, count);
}

/* The same of stripe sums, which sum_stripes has summed where they are more than FEW. */
static inline real rest_of_stripes(const real *s, uint32_t tiles)
{
    uint32_t stripes = stripes_of(tiles), groups = tiles_of(tiles);
    if (stripes > FEW)
        return rest_of_tiles(s + stripes, groups);
    if (stripes < 2) /* one tile */
        return s[0];
    real copy[FEW + FEW / 32 + 1];
    memcpy(copy, s, stripes * sizeof *copy);
    stripes_level(copy, stripes);
    return sum_up(copy + stripes, groups);
}

#endif
