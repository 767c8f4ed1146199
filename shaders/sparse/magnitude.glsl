/* Magnitudes of values as keys (primitive/key.glsl). Made from bits: a device may flush denormals when it compares
 * floats, and a compiler may assume that comparisons with NaN are never true. */
#include "primitive/key.glsl"

#if REAL == 32
const key INFINITE = 0x7F800000u;

key magnitude_of(real v)
{
    return floatBitsToUint(v) & 0x7FFFFFFFu;
}

real of_magnitude(key k)
{
    return uintBitsToFloat(k);
}
#else
const key INFINITE = uvec2(0, 0x7FF00000u);

key magnitude_of(real v)
{
    return unpackDouble2x32(v) & uvec2(0xFFFFFFFFu, 0x7FFFFFFFu);
}

real of_magnitude(key k)
{
    return packDouble2x32(k);
}
#endif

bool is_nan(key magnitude)
{
    return below(INFINITE, magnitude);
}
