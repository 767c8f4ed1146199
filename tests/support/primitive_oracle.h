/* An oracle for the primitives: naive, from their definitions, and without code of the library. */
#ifndef VKS_TESTS_PRIMITIVE_ORACLE_H
#define VKS_TESTS_PRIMITIVE_ORACLE_H

#include "tests/support/oracle.h"

static inline double folded(enum precision p, double a, double b, bool product)
{
    return rounded(p, product ? a * b : a + b);
}

/* Tiles of 256, padded with the neutral element, by halving; the results of the tiles likewise. Overwrites
 * v. */
static inline double halving_fold(enum precision p, double *v, size_t n, bool product)
{
    size_t count = n;
    do {
        size_t tiles = count ? (count + 255) / 256 : 1;
        for (size_t t = 0; t < tiles; t++) {
            double tile[256];
            for (size_t j = 0; j < 256; j++)
                tile[j] = 256 * t + j < count ? v[256 * t + j] : product;
            for (size_t half = 128; half >= 1; half /= 2)
                for (size_t j = 0; j < half; j++)
                    tile[j] = folded(p, tile[j], tile[j + half], product);
            if (n)
                v[t] = tile[0];
        }
        count = tiles;
    } while (count > 1);
    return n ? v[0] : product;
}

/* Combines neighbours until one is left. Overwrites v. */
static inline double neighbour_fold(enum precision p, double *v, size_t n, bool product)
{
    for (size_t count = n; count > 1; count = (count + 1) / 2) {
        for (size_t j = 0; 2 * j + 1 < count; j++)
            v[j] = folded(p, v[2 * j], v[2 * j + 1], product);
        if (count % 2)
            v[count / 2] = v[count - 1];
    }
    return n ? v[0] : product;
}

/* The position of a value in the order -infinity ... -0, +0 ... infinity, NaN, by comparison only. */
static inline long double order_of(double v)
{
    if (isnan(v))
        return INFINITY;
    if (isinf(v))
        return v > 0 ? 0x1p1100L : -0x1p1100L;
    return v == 0 && signbit(v) ? -0x1p-1100L : v;
}

/* The bits of a key: the distance from the lowest value in units in the last place, with NaN highest. */
static inline uint64_t key_bits(enum precision p, double v)
{
    float narrow = (float)v;
    uint32_t bits;
    memcpy(&bits, &narrow, 4);
    if (isnan(v))
        return p == PRECISION_F64 ? UINT64_MAX : UINT32_MAX;
    if (p == PRECISION_F64)
        return signbit(v) ? UINT64_MAX - bits_of(v) : bits_of(v) + 0x8000000000000000u;
    return signbit(v) ? UINT32_MAX - bits : bits + 0x80000000u;
}

#endif
