/* Values as pairs of floats, vec2(high, low), for devices without doubles: the value is their sum, and high is what it rounds
 * to. A pair has 48 bits or more, in the range of float. src/host/pairs.h is the twin.
 *
 * Exact sums are those of D. E. Knuth, "The art of computer programming", vol. 2, 4.2.2, exact products those of
 * T. J. Dekker, "A floating-point technique for extending the available precision" (1971). The operations on pairs are
 * the algorithms 4, 6 and 10 of M. Joldes, J.-M. Muller, V. Popescu, "Tight and rigorous error bounds for basic building
 * blocks of double-word arithmetic", ACM Trans. Math. Software 44 (2017). With u = 2^-24 their relative errors are at most
 * 2 u^2, 3 u^2 + 13 u^3 and 7 u^2, as long as nothing leaves the range. */
ADDRESS(8) buffer pairs { vec2 at[]; };

/* a + b = x + y exactly. */
vec2 exact_sum(float a, float b)
{
    float sum = a + b, back = sum - a;
    return vec2(sum, (a - (sum - back)) + (b - back));
}

/* The same where a is zero or its exponent not below that of b. */
vec2 exact_sum_ordered(float a, float b)
{
    float sum = a + b;
    return vec2(sum, b - (sum - a));
}

/* The first twelve bits of a. Unlike a multiplication, which Dekker splits by, a mask overflows nowhere; twelve bits are
 * left on either side, and so all products of parts are exact. */
float first_half(float a)
{
    return uintBitsToFloat(floatBitsToUint(a) & 0xFFFFF000u);
}

/* a b = x + y exactly, unless the last bits fall below the range. */
vec2 exact_product(float a, float b)
{
    float a1 = first_half(a), a2 = a - a1, b1 = first_half(b), b2 = b - b1;
    float product = a * b;
    return vec2(product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2);
}

vec2 pair_plus(vec2 a, vec2 b)
{
    vec2 high = exact_sum(a.x, b.x), low = exact_sum(a.y, b.y);
    vec2 sum = exact_sum_ordered(high.x, high.y + low.x);
    return exact_sum_ordered(sum.x, low.y + sum.y);
}

vec2 pair_plus_float(vec2 a, float b)
{
    vec2 high = exact_sum(a.x, b);
    return exact_sum_ordered(high.x, a.y + high.y);
}

vec2 pair_times(vec2 a, vec2 b)
{
    vec2 high = exact_product(a.x, b.x);
    float low = a.x * b.y + a.y * b.x;
    return exact_sum_ordered(high.x, high.y + low);
}
