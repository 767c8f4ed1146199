#include "market/powers.h"

#include <string.h>

/* Limbs of a little-endian number; they hold 5^308, and 2^960 / 5^342 to more than 128 bits. */
enum { LIMBS = 31 };

static void leading_bits(const uint32_t limb[LIMBS], uint64_t *high, uint64_t *low)
{
    int top = LIMBS - 1;
    while (!limb[top])
        top--;
    uint64_t part[5];
    for (int i = 0; i < 5; i++)
        part[i] = top >= i ? limb[top - i] : 0;
    int shift = __builtin_clz((unsigned)part[0]);
    *high = (part[0] << 32 | part[1]) << shift | part[2] >> (32 - shift);
    *low = (part[2] << 32 | part[3]) << shift | part[4] >> (32 - shift);
}

static void times_five(uint32_t limb[LIMBS])
{
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += 5 * (uint64_t)limb[i];
        limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void divide_by_five(uint32_t limb[LIMBS])
{
    uint64_t rest = 0;
    for (int i = LIMBS - 1; i >= 0; i--) {
        rest = rest << 32 | limb[i];
        limb[i] = (uint32_t)(rest / 5);
        rest %= 5;
    }
}

void powers_fill(struct powers *t)
{
    uint32_t limb[LIMBS] = {1};
    for (int q = 0; q <= POWER_MAX; q++, times_five(limb))
        leading_bits(limb, &t->high[q - POWER_MIN], &t->low[q - POWER_MIN]);

    memset(limb, 0, sizeof limb);
    limb[LIMBS - 1] = 1;
    for (int q = -1; q >= POWER_MIN; q--) {
        divide_by_five(limb);
        leading_bits(limb, &t->high[q - POWER_MIN], &t->low[q - POWER_MIN]);
        /* Down to 5^-27 a 64-bit number can be a multiple of the divisor: rounding the reciprocal up makes
         * the product of such a number exact, and thus ties. */
        if (q >= -27 && ++t->low[q - POWER_MIN] == 0)
            t->high[q - POWER_MIN]++;
    }
}
