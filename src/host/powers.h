/* Powers of two by their bits; shaders/exact.glsl is the twin. */
#ifndef VKS_HOST_POWERS_H
#define VKS_HOST_POWERS_H

#include "host/kernel.h"

#include <string.h>

#if REAL == 64
enum { BIAS = 1023, MANTISSA_BITS = 52 };
typedef uint64_t real_word;
#else
enum { BIAS = 127, MANTISSA_BITS = 23 };
typedef uint32_t real_word;
#endif

/* The exponent of a normal number; -BIAS for zero and subnormals, BIAS + 1 for non-finite values. */
static inline int exponent_of(real x)
{
    real_word w;
    memcpy(&w, &x, sizeof w);
    return (int)(w >> MANTISSA_BITS & (2 * BIAS + 1)) - BIAS;
}

static inline real power_of_two(int e)
{
    real_word w = (real_word)(BIAS + e) << MANTISSA_BITS;
    real x;
    memcpy(&x, &w, sizeof x);
    return x;
}

/* x 2^e, for e of twice the range of power_of_two. */
static inline real scaled(real x, int e)
{
    return x * power_of_two(e / 2) * power_of_two(e - e / 2);
}

#endif
