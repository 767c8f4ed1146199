/* VKS_F64 values on devices without 64-bit floats: pairs of floats that sum to the value
 * (shaders/pairs.glsl). */
#ifndef VKS_DEVICE_PAIR_H
#define VKS_DEVICE_PAIR_H

#include <math.h>
#include <stdbool.h>

struct pair {
    float high, low;
};

/* Whether v is in the range of float: it neither overflows nor rounds to zero. */
static inline bool pair_holds(double v)
{
    float high = (float)v;
    return isfinite(v) ? isfinite(high) && (high != 0 || v == 0) : true;
}

/* v to 48 bits or more; infinities and NaN unchanged. */
static inline struct pair pair_of(double v)
{
    float high = (float)v;
    return (struct pair){high, isfinite(high) ? (float)(v - (double)high) : 0};
}

static inline double pair_value(struct pair p)
{
    return p.low != 0 ? (double)p.high + (double)p.low : p.high; /* which keeps -0 */
}

#endif
