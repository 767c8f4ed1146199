/* Powers of five to 128 bits, to read and write decimal numbers without big integers. */
#ifndef VKS_MARKET_POWERS_H
#define VKS_MARKET_POWERS_H

#include <stdint.h>

enum { POWER_MIN = -342, POWER_MAX = 308, POWERS = POWER_MAX - POWER_MIN + 1 };

/* The leading 128 bits of 5^q at q - POWER_MIN; off by less than one unit of `low`. */
struct powers {
    uint64_t high[POWERS], low[POWERS];
};

/* Fills the table, in about 0.1 ms. */
void powers_fill(struct powers *t);

/* floor(log2(10^q)) for q within the table. */
static inline int log2_power_of_ten(int q)
{
    return (217706 * q) >> 16;
}

struct product {
    uint64_t high, low;
};

static inline struct product multiply(uint64_t a, uint64_t b)
{
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t low = al * bl, middle = ah * bl + (low >> 32), other = al * bh + (uint32_t)middle;
    return (struct product){ah * bh + (middle >> 32) + (other >> 32), other << 32 | (uint32_t)low};
}

#endif
