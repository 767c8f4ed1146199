/* A value in words that others may see in any order: each has 16 bits of the value in its lower half, and in its upper
 * half a tag that shows which words belong together. */
#if REAL == 64
#define WORDS 4u /* of a value */
#define words_t uvec4
#define WORDS_BYTES 16
#else
#define WORDS 2u
#define words_t uvec2
#define WORDS_BYTES 8
#endif

words_t halves_of(real value)
{
#if REAL == 64
    uvec2 bits = unpackDouble2x32(value);
    return uvec4(bits.x, bits.x >> 16, bits.y, bits.y >> 16) & 0xFFFFu;
#else
    uint bits = floatBitsToUint(value);
    return uvec2(bits, bits >> 16) & 0xFFFFu;
#endif
}

real of_halves(words_t words)
{
    words_t halves = words & 0xFFFFu;
#if REAL == 64
    return packDouble2x32(halves.xz | halves.yw << 16);
#else
    return uintBitsToFloat(halves.x | halves.y << 16);
#endif
}
