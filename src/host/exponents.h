/* Values decomposed into sign, exponent and fraction, and rejoined, as in shaders/sparse/exponents.glsl. */
#ifndef VKS_HOST_EXPONENTS_H
#define VKS_HOST_EXPONENTS_H

#include "host/kernel.h"
#include "shaders/sparse/exponents.h"

#include <string.h>

#if REAL == 64
typedef uint64_t word_of_real;
enum { FRACTION = 52, LARGEST_BIASED = 0x7FF, BIAS = 1023, HIGHEST = 63 };
#else
typedef uint32_t word_of_real;
enum { FRACTION = 23, LARGEST_BIASED = 0xFF, BIAS = 127, HIGHEST = 31 };
#endif

static const word_of_real fraction_mask = ((word_of_real)1 << FRACTION) - 1;

/* sign 2^exponent (1 + fraction 2^-FRACTION); `counts` is false for zero and non-finite values. */
struct parts {
    bool counts;
    int exponent;
    word_of_real sign, fraction;
};

static inline struct parts parts_of(real v)
{
    word_of_real word;
    memcpy(&word, &v, sizeof word);
    int biased = (int)(word >> FRACTION & LARGEST_BIASED);
    struct parts p = {.exponent = biased - BIAS,
                      .sign = word & (word_of_real)1 << HIGHEST,
                      .fraction = word & fraction_mask};
    p.counts = biased != LARGEST_BIASED && (biased || p.fraction);
    if (biased || !p.counts)
        return p;
    int shift = FRACTION - 63 + __builtin_clzll(p.fraction);
    p.exponent = 1 - BIAS - shift;
    p.fraction = p.fraction << shift & fraction_mask;
    return p;
}

static inline real joined(const struct parts *p)
{
    word_of_real top = (word_of_real)LARGEST_BIASED << FRACTION, word = p->sign;
    if (p->exponent > BIAS)
        word |= top - 1;
    else if (p->exponent >= 1 - BIAS)
        word |= (word_of_real)(p->exponent + BIAS) << FRACTION | p->fraction;
    real v;
    memcpy(&v, &word, sizeof v);
    return v;
}

static inline int log_of(const struct parts *p)
{
    return p->exponent * (1 << LOG_BITS) + (int)(p->fraction >> (FRACTION - LOG_BITS));
}

#endif
