/* What survives being stored in f32, by C's own conversion to float. */
#ifndef VKS_TESTS_NARROW_ORACLE_H
#define VKS_TESTS_NARROW_ORACLE_H

#include "tests/support/data.h"
#include <float.h>

static inline bool survives_naively(double v)
{
    if (v == 0 || isinf(v))
        return true;
    return fabs(v) <= FLT_MAX && fabs(v) >= FLT_MIN && (double)(float)v == v;
}

static inline uint32_t float_bits(double v)
{
    float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

#endif
