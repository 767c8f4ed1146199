#include "market/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 17 };
#define TEN_TO_16 UINT64_C(10000000000000000)

/* A value as N * 10^(exponent - 16), 10^16 <= N < 10^17. */
struct digits {
    uint64_t n;
    int exponent;
};

/* Computes N by a 192-bit product, rounded to nearest. False if the table's error could change the rounding
 * (so for all ties) or the table is too short. */
static bool fast_digits(const struct powers *t, double value, struct digits *d)
{
    int binary;
    uint64_t mantissa = (uint64_t)ldexp(frexp(value, &binary), 64); /* value = mantissa 2^(binary - 64) */
    /* floor(log10(2^(binary - 1))), with log10(2) to 32 bits: exact, or one too small. */
    d->exponent = (int)((binary - 1) * INT64_C(1292913986) >> 32);
    for (;; d->exponent++) {
        int q = DIGITS - 1 - d->exponent;
        if (q > POWER_MAX)
            return false;
        struct product high = multiply(mantissa, t->high[q - POWER_MIN]);
        uint64_t low = high.low + multiply(mantissa, t->low[q - POWER_MIN]).high;
        high.high += low < high.low;
        int shift = 63 - log2_power_of_ten(q) - binary; /* the bits of high.high below the units of N */
        uint64_t half = UINT64_C(1) << (shift - 1), rest = high.high & (2 * half - 1);
        if ((rest == half && low < 4) || (rest == half - 1 && low > UINT64_MAX - 4))
            return false;
        d->n = (high.high >> shift) + (rest >= half);
        if (d->n < 10 * TEN_TO_16)
            return true;
    }
}

/* Digits by printf. The locale's point, of any length, lies between the first digit and the last 16. */
static void printf_digits(double value, struct digits *d)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", DIGITS - 1, value);
    const char *e = strchr(text, 'e');
    d->exponent = atoi(e + 1);
    d->n = strtoull(e - (DIGITS - 1), NULL, 10) + (uint64_t)(*text - '0') * TEN_TO_16;
}

static char *write_exponent(int exponent, char *to)
{
    unsigned size = (unsigned)abs(exponent);
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    if (size >= 100)
        *to++ = (char)('0' + size / 100);
    *to++ = (char)('0' + size / 10 % 10);
    *to++ = (char)('0' + size % 10);
    return to;
}

static char *put(char *to, const char *bytes, int count)
{
    memcpy(to, bytes, (size_t)count);
    return to + count;
}

/* The layout of %g, without trailing zeros. */
static char *lay_out(const char digit[DIGITS], int exponent, char *to)
{
    static const char zeros[] = "0000000000000000";
    int count = DIGITS, units = exponent + 1;
    while (count > 1 && digit[count - 1] == '0')
        count--;
    if (exponent < -4 || exponent >= DIGITS)
        units = 1;
    if (units <= 0) {
        to = put(to, "0.", 2);
        to = put(to, zeros, -units);
        return put(to, digit, count);
    }
    to = put(to, digit, units < count ? units : count);
    if (units > count)
        to = put(to, zeros, units - count);
    if (units < count) {
        *to++ = '.';
        to = put(to, digit + units, count - units);
    }
    return units == exponent + 1 ? to : write_exponent(exponent, to);
}

char *decimal_write(const struct powers *t, double value, char *to)
{
    struct digits d;
    char digit[DIGITS];
    if (signbit(value)) {
        *to++ = '-';
        value = -value;
    }
    if (value == 0) {
        *to++ = '0';
        return to;
    }
    if (!fast_digits(t, value, &d))
        printf_digits(value, &d);
    for (int i = DIGITS - 1; i >= 0; i--, d.n /= 10)
        digit[i] = (char)('0' + d.n % 10);
    return lay_out(digit, d.exponent, to);
}
