/* Numbers for the tests: random ones from fixed seeds, their bits, and their comparison. Values of either
 * precision are held in doubles; those of f32 are representable in it. */
#ifndef VKS_TESTS_DATA_H
#define VKS_TESTS_DATA_H

#include "device/kernel.h"
#include "tests/support/own.h"
#include "vksolve/vector.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline const char *precision_name(enum precision p)
{
    return p == PRECISION_F64 ? "f64" : p == PRECISION_F32 ? "f32" : "mixed";
}

/* The result of one operation on values of precision p, computed in double: for +, -, *, / and the root of
 * f32 the second rounding changes nothing, since 53 >= 2 * 24 + 2 bits. */
static inline double rounded(enum precision p, double v)
{
    return p == PRECISION_F32 ? (double)(float)v : v;
}

/* a b + c with one rounding */
static inline double rounded_once(enum precision p, double a, double b, double c)
{
    return p == PRECISION_F32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
}

/* splitmix64 (Steele, Lea, Flood 2014) */
static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(random_bits(state) % limit);
}

/* The double with these bits. */
static inline double of_bits(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Either sign, magnitude between 2^-range and 2^range, all mantissa bits in use. */
static inline double random_wide(uint64_t *state, enum precision p, int range)
{
    double m = of_bits(0x3FF0000000000000u | random_bits(state) >> 12); /* 1 to 2 */
    int exponent = (int)(random_bits(state) % (uint64_t)(2 * range)) - range;
    double v = rounded(p, m) * of_bits((uint64_t)(1023 + exponent) << 52); /* as ldexp would, but faster */
    return random_bits(state) & 1 ? -v : v;
}

static inline void *room(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    cr_assert_not_null(p);
    return p;
}

static inline double *random_vector(enum precision p, size_t n, int range, uint64_t seed)
{
    double *v = room(n, sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = random_wide(&seed, p, range);
    return v;
}

static inline unsigned long long bits_of(double v)
{
    unsigned long long bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* All NaNs count as equal: their bits are unspecified. */
static inline bool same_bits(double a, double b)
{
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

/* One assertion per array: one per value would take longer than most kernels. */
static inline void must_equal(const double *got, const double *want, size_t n, const char *what)
{
    size_t i = 0;
    while (i < n && same_bits(got[i], want[i]))
        i++;
    if (i < n)
        cr_assert_fail("%s: value %zu of %zu is %.17g (%016llx) instead of %.17g (%016llx)", what, i, n,
                       got[i], bits_of(got[i]), want[i], bits_of(want[i]));
}

/* FNV-1a over the bits. */
static inline uint64_t hash_of(const double *v, size_t n)
{
    uint64_t h = 0xCBF29CE484222325u;
    const unsigned char *p = (const unsigned char *)v;
    for (size_t i = 0; i < n * sizeof *v; i++)
        h = (h ^ p[i]) * 0x100000001B3u;
    return h;
}

#endif
