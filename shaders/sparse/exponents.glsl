/* Values split into words and reassembled: exact on every device, even if it flushes denormals. */
#include "sparse/exponents.h"

#if REAL == 64
ADDRESS(8) buffer bits { uvec2 at[]; };
#else
ADDRESS(4) buffer bits { uint at[]; };
#endif

/* sign 2^exponent (1 + high 2^-20 + low 2^-52); `counts` is false for zeros and non-finite values. */
struct parts {
    bool counts;
    uint sign;
    int  exponent;
    uint high;
    uint low;
};

#if REAL == 64
parts parts_of(uvec2 v)
{
    uint high = v.y & 0xFFFFFu, low = v.x, biased = v.y >> 20 & 0x7FFu;
    parts p = parts(biased != 0x7FFu && (biased | high | low) != 0u, v.y & 0x80000000u, int(biased) - 1023, high, low);
    if (biased != 0u || !p.counts)
        return p;
    uint shift = high != 0u ? 20u - uint(findMSB(high)) : 52u - uint(findMSB(low));
    p.exponent = -1022 - int(shift);
    p.high = (shift < 32u ? high << shift | low >> (32u - shift) : low << (shift - 32u)) & 0xFFFFFu;
    p.low = shift < 32u ? low << shift : 0u;
    return p;
}

const int LEAST = -1022, MOST = 1023;

uvec2 joined(parts p)
{
    if (p.exponent < LEAST)
        return uvec2(0u, p.sign);
    if (p.exponent > MOST)
        return uvec2(0xFFFFFFFFu, p.sign | 0x7FEFFFFFu);
    return uvec2(p.low, p.sign | uint(p.exponent + 1023) << 20 | p.high);
}
#else
parts parts_of(uint v)
{
    uint low = v & 0x7FFFFFu, biased = v >> 23 & 0xFFu;
    parts p = parts(biased != 0xFFu && (biased | low) != 0u, v & 0x80000000u, int(biased) - 127, low >> 3, low << 29);
    if (biased != 0u || !p.counts)
        return p;
    uint shift = 23u - uint(findMSB(low));
    low = low << shift & 0x7FFFFFu;
    return parts(true, p.sign, -126 - int(shift), low >> 3, low << 29);
}

const int LEAST = -126, MOST = 127;

uint joined(parts p)
{
    if (p.exponent < LEAST)
        return p.sign;
    if (p.exponent > MOST)
        return p.sign | 0x7F7FFFFFu;
    return p.sign | uint(p.exponent + 127) << 23 | p.high << 3 | p.low >> 29;
}
#endif

int log_of(parts p)
{
    return (p.exponent << LOG_BITS) + int(p.high >> (20 - LOG_BITS));
}
