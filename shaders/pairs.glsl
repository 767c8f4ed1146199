/* Values as pairs of floats, vec2(high, low), for devices without doubles: the value is their sum, and high is its
 * rounding. A pair has 48 bits or more, in the range of float. If WIDE_PAIRS is defined, they are pairs of doubles, of
 * 106 bits. src/host/pairs.h is the twin.
 *
 * Exact sums follow D. E. Knuth, "The art of computer programming", vol. 2, 4.2.2, exact products T. J. Dekker, "A
 * floating-point technique for extending the available precision" (1971). The operations on pairs are the algorithms 4,
 * 6 and 10 of M. Joldes, J.-M. Muller, V. Popescu, "Tight and rigorous error bounds for basic building blocks of
 * double-word arithmetic", ACM Trans. Math. Software 44 (2017). With u = 2^-24, or 2^-53, their relative errors are at
 * most 2 u^2, 3 u^2 + 13 u^3 and 7 u^2, as long as nothing leaves the range. */
#ifdef WIDE_PAIRS
#define part_t double
#define pair_t dvec2
#else
#define part_t float
#define pair_t vec2
ADDRESS(8) buffer pairs { vec2 at[]; };
#endif

/* a + b = x + y exactly. */
pair_t exact_sum(part_t a, part_t b)
{
    part_t sum = a + b, back = sum - a;
    return pair_t(sum, (a - (sum - back)) + (b - back));
}

/* The same if a is zero or its exponent is not below that of b. */
pair_t exact_sum_ordered(part_t a, part_t b)
{
    part_t sum = a + b;
    return pair_t(sum, b - (sum - a));
}

/* The first twelve bits of a float, or 26 of a double. Unlike the multiplication by which Dekker splits, a mask never
 * overflows. Twelve bits of a float remain, so all products of parts are exact. Of a double, 27 bits remain, and the
 * last product is rounded to 2^-107 of the whole. */
part_t first_half(part_t a)
{
#ifdef WIDE_PAIRS
    uvec2 bits = unpackDouble2x32(a);
    return packDouble2x32(uvec2(bits.x & 0xF8000000u, bits.y));
#else
    return uintBitsToFloat(floatBitsToUint(a) & 0xFFFFF000u);
#endif
}

/* a b = x + y exactly, unless the last bits fall below the range. */
pair_t exact_product(part_t a, part_t b)
{
    part_t a1 = first_half(a), a2 = a - a1, b1 = first_half(b), b2 = b - b1;
    part_t product = a * b;
    return pair_t(product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2);
}

pair_t pair_plus(pair_t a, pair_t b)
{
    pair_t high = exact_sum(a.x, b.x), low = exact_sum(a.y, b.y);
    pair_t sum = exact_sum_ordered(high.x, high.y + low.x);
    return exact_sum_ordered(sum.x, low.y + sum.y);
}

pair_t pair_plus_part(pair_t a, part_t b)
{
    pair_t high = exact_sum(a.x, b);
    return exact_sum_ordered(high.x, a.y + high.y);
}

pair_t pair_times(pair_t a, pair_t b)
{
    pair_t high = exact_product(a.x, b.x);
    part_t low = a.x * b.y + a.y * b.x;
    return exact_sum_ordered(high.x, high.y + low);
}
