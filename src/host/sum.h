/* The canonical order of sums on the host; shaders/sum.glsl is its twin. */
#ifndef VKS_HOST_SUM_H
#define VKS_HOST_SUM_H

#include "host/kernel.h"

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

/* Defines, for a type, the sum of the tile v (which it uses up) whose terms from `length` on count as zero, and the
 * sum of all tile sums (which uses them up). */
#define DEFINE_SUMS(type, tile_sum, total)                                                                    \
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
    static inline type total(type *s, uint32_t tiles)                                                         \
    {                                                                                                         \
        for (uint32_t count = tiles; count > 1; count = tiles_of(count))                                      \
            for (uint32_t t = 0; t < tiles_of(count); t++) {                                                  \
                type v[TILE];                                                                                 \
                uint32_t length = tile_length(t, count);                                                      \
                for (uint32_t j = 0; j < length; j++)                                                         \
                    v[j] = s[t * TILE + j];                                                                   \
                s[t] = tile_sum(v, length);                                                                   \
            }                                                                                                 \
        return s[0];                                                                                          \
    }

DEFINE_SUMS(real, tile_sum, total)
DEFINE_SUMS(double, wide_tile_sum, wide_total)

#endif
