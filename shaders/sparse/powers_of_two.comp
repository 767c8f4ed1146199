#include "each.glsl"

/* power[i] = 2^e, and inverse[i] = 2^-e unless null, with e = exponent[place[i]], or exponent[i] if place is null.
 * Both are normal numbers. Traffic: n words twice, n reals once or twice. */
ARGS {
    u32s  exponent; /* integers */
    u32s  place;
    reals power;
    reals inverse;
    zeros none;
    uint  n;
};
DEFINE_NO_ADDRESS

INLINE real power_of_two(int e)
{
#if REAL == 64
    return packDouble2x32(uvec2(0u, uint(e + 1023) << 20));
#else
    return uintBitsToFloat(uint(e + 127) << 23);
#endif
}

void main()
{
    bool moves = is_there(uvec2(place)), inverts = is_there(uvec2(inverse));
    FOR_EACH(i, n) {
        uint from = i;
        if (moves)
            from = place.at[i];
        int e = int(exponent.at[from]);
        power.at[i] = power_of_two(e);
        if (inverts)
            inverse.at[i] = power_of_two(-e);
    }
}
