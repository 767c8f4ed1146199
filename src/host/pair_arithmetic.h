/* Arithmetic on pairs, included once for each type of their parts; shaders/pairs.glsl is the twin and cites
 * the sources. PAIR is a struct of two numbers PART, high and low, and PAIR_NAME(name) the name of a
 * function. */

/* a + b = high + low exactly. */
static inline PAIR PAIR_NAME(exact_sum)(PART a, PART b)
{
    PART sum = a + b, back = sum - a;
    return (PAIR){sum, (a - (sum - back)) + (b - back)};
}

/* exact_sum if a is zero or its exponent is at least the exponent of b. */
static inline PAIR PAIR_NAME(exact_sum_ordered)(PART a, PART b)
{
    PART sum = a + b;
    return (PAIR){sum, b - (sum - a)};
}

/* The leading bits of a; the rest of a has as many bits, or one more. */
static inline PART PAIR_NAME(first_half)(PART a)
{
    PART_BITS bits;
    memcpy(&bits, &a, sizeof bits);
    bits &= PART_MASK;
    memcpy(&a, &bits, sizeof a);
    return a;
}

static inline PAIR PAIR_NAME(exact_product)(PART a, PART b)
{
    PART a1 = PAIR_NAME(first_half)(a), a2 = a - a1, b1 = PAIR_NAME(first_half)(b), b2 = b - b1;
    PART product = a * b;
    return (PAIR){product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

static inline PAIR PAIR_NAME(pair_plus)(PAIR a, PAIR b)
{
    PAIR high = PAIR_NAME(exact_sum)(a.high, b.high), low = PAIR_NAME(exact_sum)(a.low, b.low);
    PAIR sum = PAIR_NAME(exact_sum_ordered)(high.high, high.low + low.high);
    return PAIR_NAME(exact_sum_ordered)(sum.high, low.low + sum.low);
}

static inline PAIR PAIR_NAME(pair_plus_part)(PAIR a, PART b)
{
    PAIR high = PAIR_NAME(exact_sum)(a.high, b);
    return PAIR_NAME(exact_sum_ordered)(high.high, a.low + high.low);
}

static inline PAIR PAIR_NAME(pair_times)(PAIR a, PAIR b)
{
    PAIR high = PAIR_NAME(exact_product)(a.high, b.high);
    PART low = a.high * b.low + a.low * b.high;
    return PAIR_NAME(exact_sum_ordered)(high.high, high.low + low);
}

#undef PART
#undef PAIR
#undef PAIR_NAME
#undef PART_BITS
#undef PART_MASK
