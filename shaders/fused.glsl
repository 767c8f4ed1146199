#ifdef VULKAN /* in C: host/each.h */
/* fused(a, b, c) is a b + c rounded once, on every device. Vulkan lets `fma` round twice, and software devices do. For
 * these it is emulated by additions and multiplications that round to nearest: S. Boldo, G. Melquiond, "Emulation of
 * FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE Trans. Computers 57 (2008). A
 * property of the device is a constant of its pipelines (device_info.fuses); a device that uses subgroups also fuses.
 *
 * The emulation covers the same operands and results as exact.glsl, not denormals. */
#include "exact.glsl"

#if SUBGROUP
const bool FUSES = true;
#else
layout(constant_id = 0) const bool FUSES = true;
#endif

#define FAR (2 * MANTISSA_BITS + 8)

uint last_bit(real x)
{
#if REAL == 64
    return unpackDouble2x32(x).x & 1u;
#else
    return floatBitsToUint(x) & 1u;
#endif
}

/* The neighbour of x, whose last bit is 0, of larger or smaller magnitude. */
real neighbour(real x, bool larger)
{
#if REAL == 64
    uvec2 bits = unpackDouble2x32(x);
    if (!larger && bits.x == 0)
        bits.y = bits.y - 1u;
    bits.x = larger ? bits.x + 1u : bits.x - 1u;
    return packDouble2x32(bits);
#else
    uint bits = floatBitsToUint(x);
    return uintBitsToFloat(larger ? bits + 1u : bits - 1u);
#endif
}

/* a + b = sum + error, exactly: D. E. Knuth, "The art of computer programming", vol. 2, 4.2.2. */
real sum_error(real a, real b, real sum)
{
    real back = sum - a;
    return (a - (sum - back)) + (b - back);
}

/* a + b rounded to odd: if inexact, to the neighbour whose last bit is 1. */
real odd_sum(real a, real b)
{
    real sum = a + b, error = sum_error(a, b, sum);
    if (error != real(0) && last_bit(sum) == 0)
        return neighbour(sum, negative(error) == negative(sum));
    return sum;
}

/* m d + t, where |m| and |d| are in [1, 2), and t is zero or between 2^-(FAR + 1) and 2^FAR */
real fused_ordinary(real m, real d, real t)
{
    real product = m * d, product_error = -remainder_of(product, m, d);
    real low = t + product_error, low_error = sum_error(t, product_error, low);
    real high = product + low, high_error = sum_error(product, low, high);
    return high + odd_sum(low_error, high_error);
}

real emulated_fma(real a, real b, real c)
{
    if (!ordinary(a) || !ordinary(b))
        return a * b + c;
    if (!finite(c))
        return c;
    real m = with_exponent(a, BIAS), d = with_exponent(b, BIAS), t = real(0);
    int e = int(exponent_of(a)) + int(exponent_of(b)) - 2 * int(BIAS); /* a b = +-m d 2^e */
    int away = int(exponent_of(c)) - int(BIAS) - e;
    if (ordinary(c)) {
        if (away > FAR) /* a b is below a quarter of c's last place */
            return c;
        t = with_exponent(c, uint(int(BIAS) + max(away, -FAR))); /* the smaller term only determines the direction of
                                                                    rounding */
    }
    real sum = fused_ordinary(negative(a) != negative(b) ? -m : m, d, negative(c) ? -t : t);
    return scaled(sum, e);
}

real fused(real a, real b, real c)
{
    if (FUSES)
        return fma(a, b, c);
    return emulated_fma(a, b, c);
}

/* 1 / a, correctly rounded, in a third of the steps of divide(): a fused multiply-add gives 1 - a y exactly. Leaves the
 * operands that exact.glsl excludes, and results below the normal numbers, to the native instruction. */
real reciprocal(real a)
{
    int e = int(BIAS) - int(exponent_of(a));
    if (!ordinary(a) || e < 2 - int(BIAS))
        return real(1) / a;
    real m = with_exponent(a, BIAS), y = real(1) / m; /* m in [1, 2), y in (1/2, 1] */
    y = fused(fused(-m, y, real(1)), y, y);
    real left = fused(-m, y, real(1)), half_ulp = real(0.5) * HALF_ULP * m; /* of y, times m */
    if (left > half_ulp)
        y = y + HALF_ULP;
    else if (left < -half_ulp)
        y = y - HALF_ULP;
    y = y * power_of_two(e);
    return negative(a) ? -y : y;
}
#endif
