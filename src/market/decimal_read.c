/* Most numbers use the algorithm of D. Lemire, "Number Parsing at a Gigabyte per Second" (2021): the digits
 * times a 128-bit power of five decide unless the product is too near the midpoint of two doubles. Other
 * numbers, and numbers that need more than 19 digits, use strtod. */
#include "market/decimal.h"
#include "market/scan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORD_DIGITS = 19,  /* decimal digits that fit in 64 bits */
    LONG_DIGITS = 800, /* no midpoint of two doubles has more than 767 */
    MANTISSA = 52,     /* bits after the leading one */
    BIAS = 1023
};

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* m has the leading 54 or 55 bits of a value below the normal range; `field` would be its exponent field. */
static double subnormal(uint64_t m, int field)
{
    int shift = 1 - field;
    if (shift >= 64)
        return 0;
    m >>= shift;
    m = (m + (m & 1)) >> 1;
    return from_bits(m); /* a carry into bit 52 is the smallest normal number */
}

/* The double nearest to w 10^q. Returns whether it is certain. */
static bool nearest(const struct powers *t, uint64_t w, int64_t q, double *value)
{
    *value = w == 0 || q < POWER_MIN ? 0 : (double)INFINITY;
    if (w == 0 || q < POWER_MIN || q > POWER_MAX)
        return true;
    int zeros = __builtin_clzll(w);
    w <<= zeros;
    struct product p = multiply(w, t->high[q - POWER_MIN]);
    if ((p.high & 0x1FF) == 0x1FF) { /* a carry from the lower half may reach the rounding bit */
        uint64_t more = multiply(w, t->low[q - POWER_MIN]).high;
        p.low += more;
        p.high += p.low < more;
        if (p.low == UINT64_MAX && (q < -27 || q > 55))
            return false;
    }
    int top = (int)(p.high >> 63), shift = top + 64 - MANTISSA - 3;
    uint64_t m = p.high >> shift;                                    /* 53 bits and the rounding bit */
    int field = log2_power_of_ten((int)q) + 63 + top - zeros + BIAS; /* the exponent, biased */
    if (field <= 0) {
        *value = subnormal(m, field);
        return true;
    }
    bool tie = p.low <= 1 && q >= -4 && q <= 23 && (m & 3) == 1 && m << shift == p.high;
    m = (m + (m & 1 & !tie)) >> 1;
    if (m >> (MANTISSA + 1)) {
        m >>= 1;
        field++;
    }
    if (field < 2 * BIAS + 1)
        *value = from_bits((m & ((UINT64_C(1) << MANTISSA) - 1)) | (uint64_t)field << MANTISSA);
    return true;
}

/* The leading digits of a number, without leading zeros. */
struct leading {
    char digit[LONG_DIGITS + 32]; /* with room for an exponent */
    int count;
    int64_t dropped; /* number of digits after them */
    bool inexact;    /* a dropped digit is not zero */
};

static void collect(const char *p, const char *end, int most, struct leading *d)
{
    d->count = 0;
    d->dropped = 0;
    d->inexact = false;
    while (p < end && (*p == '0' || *p == '.'))
        p++;
    for (; p < end; p++) {
        if (*p == '.')
            continue;
        if (d->count < most) {
            d->digit[d->count++] = *p;
        } else {
            d->dropped++;
            d->inexact |= *p != '0';
        }
    }
}

/* Uses strtod on digits without a point, which reads the same in every locale. A digit 1 replaces all dropped
 * digits, which suffices to keep the number off the midpoint. */
static double by_strtod(const char *first, const char *end, int64_t exponent)
{
    struct leading d;
    collect(first, end, LONG_DIGITS, &d);
    exponent += d.dropped;
    if (d.inexact) {
        d.digit[d.count++] = '1';
        exponent--;
    }
    snprintf(d.digit + d.count, sizeof d.digit - (size_t)d.count, "e%" PRId64, exponent);
    return strtod(d.digit, NULL);
}

/* A number whose digits, with leading zeros, do not fit in 64 bits. */
static double long_number(const struct powers *t, const char *first, const char *end, int64_t exponent)
{
    struct leading d;
    collect(first, end, WORD_DIGITS, &d);
    uint64_t w = 0;
    for (int i = 0; i < d.count; i++)
        w = 10 * w + (uint64_t)(d.digit[i] - '0');
    double below, above;
    bool sure = nearest(t, w, exponent + d.dropped, &below);
    if (sure && d.inexact)
        sure = nearest(t, w + 1, exponent + d.dropped, &above) && above == below;
    return sure ? below : by_strtod(first, end, exponent);
}

/* Reads an exponent, starting at its letter, and adds it to *exponent. Digits beyond 10^17 do not matter,
 * since no file has enough digits to compensate. */
static const char *read_exponent(const char *p, int64_t *exponent)
{
    p++;
    bool negative = *p == '-';
    p += *p == '-' || *p == '+';
    const char *first = p;
    int64_t e = 0;
    for (; is_digit(*p); p++)
        e = e < INT64_C(100000000000000000) ? 10 * e + (*p - '0') : e;
    *exponent += negative ? -e : e;
    return p > first ? p : NULL;
}

const char *decimal_read(const struct powers *t, const char *p, double *value, bool *whole)
{
    bool negative = *p == '-';
    p += *p == '-' || *p == '+';
    const char *first = p;
    uint64_t w = 0;
    for (; is_digit(*p); p++)
        w = 10 * w + (uint64_t)(*p - '0');
    int64_t digits = p - first, exponent = 0;
    *whole = true;
    if (*p == '.') {
        const char *point = p++;
        for (; is_digit(*p); p++)
            w = 10 * w + (uint64_t)(*p - '0');
        exponent = point + 1 - p;
        digits -= exponent;
        *whole = false;
    }
    if (!digits)
        return NULL;
    const char *end = p;
    char letter = lower_case(*p);
    if (letter == 'e' || letter == 'd') {
        *whole = false;
        p = read_exponent(p, &exponent);
        if (!p)
            return NULL;
    }
    double v;
    if (digits > WORD_DIGITS)
        v = long_number(t, first, end, exponent);
    else if (!nearest(t, w, exponent, &v))
        v = by_strtod(first, end, exponent);
    *value = negative ? -v : v;
    return p;
}
