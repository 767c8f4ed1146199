/* Keys: unsigned numbers in the order of the values that they encode. The order is total: -infinity ... -0, +0 ...
 * infinity, NaN (all NaNs are equal). Made from bits alone, because a device may flush denormals when it compares
 * floats. */
#if defined(KEYS_OF_U32) || REAL == 32
#define key uint

bool below(key a, key b)
{
    return a < b;
}

uvec2 words_of(key k)
{
    return uvec2(k, 0);
}
#else
#define key uvec2 /* the lower word first */

bool below(key a, key b)
{
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

uvec2 words_of(key k)
{
    return k;
}
#endif
#define LEAST_KEY key(0)
#define LARGEST_KEY key(0xFFFFFFFFu)

key key_of(uint v)
{
    return key(v);
}

#ifndef KEYS_OF_U32
#if REAL == 32
key key_of(float v)
{
    uint bits = floatBitsToUint(v);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u)
        return LARGEST_KEY;
    return (bits >> 31) != 0 ? ~bits : bits ^ 0x80000000u;
}
#else
key key_of(double v)
{
    uvec2 bits = unpackDouble2x32(v);
    uint magnitude = bits.y & 0x7FFFFFFFu;
    if (magnitude > 0x7FF00000u || (magnitude == 0x7FF00000u && bits.x != 0))
        return LARGEST_KEY;
    return (bits.y >> 31) != 0 ? ~bits : uvec2(bits.x, bits.y ^ 0x80000000u);
}
#endif
#endif
