#ifdef VULKAN /* in C: host/each.h */
/* Correctly rounded division and square root of scalars. Vulkan allows an error of 2.5 ulp for each, and devices
 * differ. The native result is corrected by its exact remainder: Dekker, "A floating-point technique for extending the
 * available precision" (1971), gives the exact product without a fused multiply-add.
 *
 * Zeros, infinities, NaN and denormals (operands or results) are left to the native instruction. */
#if REAL == 64
#define SPLITTER 134217729.0lf
#define MANTISSA_BITS 52
#define EXPONENT_MAX 2047u
#define HALF_ULP 1.1102230246251565404e-16lf /* of a number in [1, 2): 2^-53 */
uint exponent_of(real x)
{
    return (unpackDouble2x32(x).y >> 20) & EXPONENT_MAX;
}
/* x with its exponent field set to e, and its sign cleared */
real with_exponent(real x, uint e)
{
    uvec2 bits = unpackDouble2x32(x);
    bits.y = (bits.y & 0xFFFFFu) | (e << 20);
    return packDouble2x32(bits);
}
bool negative(real x)
{
    return (unpackDouble2x32(x).y >> 31) != 0;
}
#else
#define SPLITTER 4097.0
#define MANTISSA_BITS 23
#define EXPONENT_MAX 255u
#define HALF_ULP 5.9604644775390625e-8 /* 2^-24 */
uint exponent_of(real x)
{
    return (floatBitsToUint(x) >> 23) & EXPONENT_MAX;
}
real with_exponent(real x, uint e)
{
    return uintBitsToFloat((floatBitsToUint(x) & 0x7FFFFFu) | (e << 23));
}
bool negative(real x)
{
    return (floatBitsToUint(x) >> 31) != 0;
}
#endif
#define BIAS (EXPONENT_MAX / 2u)

/* Tests the bits: a compiler may assume that comparisons with NaN are never true. */
bool finite(real x)
{
    return exponent_of(x) != EXPONENT_MAX;
}

bool ordinary(real x)
{
    uint e = exponent_of(x);
    return e != 0 && e != EXPONENT_MAX;
}

/* m - p q, exact while p q is within a few ulps of m */
real remainder_of(real m, real p, real q)
{
    real cp = SPLITTER * p, hp = cp - (cp - p), lp = p - hp;
    real cq = SPLITTER * q, hq = cq - (cq - q), lq = q - hq;
    real product = p * q;
    real error = ((hp * hq - product) + hp * lq + lp * hq) + lp * lq;
    return (m - product) - error;
}

/* 2^e for -126 <= e, if that is a normal number */
real power_of_two(int e)
{
    return with_exponent(real(1), uint(e + int(BIAS)));
}

real scaled(real x, int e)
{
    int half_way = e / 2;
    return x * power_of_two(half_way) * power_of_two(e - half_way);
}

real divide(real a, real b)
{
    real native = a / b;
    if (!ordinary(a) || !ordinary(b))
        return native;
    real m = with_exponent(a, BIAS), d = with_exponent(b, BIAS); /* in [1, 2) */
    int e = int(exponent_of(a)) - int(exponent_of(b));
    if (m < d) {
        m = m * real(2);
        e = e - 1;
    }
    real q = m / d; /* in [1, 2), and so its ulp is 2 HALF_ULP */
    q = q + remainder_of(m, q, d) / d;
    for (int step = 0; step < 2; step++) {
        real r = remainder_of(m, q, d);
        if (r > HALF_ULP * d)
            q = q + real(2) * HALF_ULP;
        else if (r < -(HALF_ULP * d))
            q = q - real(2) * HALF_ULP;
    }
    if (e < 1 - int(BIAS))
        return native;
    q = scaled(q, e);
    return negative(a) != negative(b) ? -q : q;
}

real square_root(real a)
{
    if (!ordinary(a) || negative(a))
        return sqrt(a);
    int e = int(exponent_of(a)) - int(BIAS);
    int odd = e & 1;
    real m = with_exponent(a, BIAS + uint(odd)); /* in [1, 4), a = m 2^(e - odd) */
    real s = sqrt(m);
    s = s + remainder_of(m, s, s) / (real(2) * s);
    for (int step = 0; step < 2; step++) {
        real r = remainder_of(m, s, s);
        if (r > real(2) * HALF_ULP * s)
            s = s + real(2) * HALF_ULP;
        else if (r <= -(real(2) * HALF_ULP * s))
            s = s - real(2) * HALF_ULP;
    }
    return s * power_of_two((e - odd) / 2);
}
#endif
