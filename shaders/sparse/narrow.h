/* Doubles that survive being stored as floats, as words: shared by the shaders, their twins and the library, and the
 * same on every device, whatever it does with denormals and NaNs. A value survives if it is zero, infinite, or normal in
 * both and rounds to itself; signs are kept. No denormal of either does, which devices may flush, and no NaN. */
#define NARROW_LEAST 897u /* exponents, as doubles have them, of floats that are normal */
#define NARROW_MOST 1150u
#define NARROW_BIAS 896u /* what is between the exponents of doubles and floats */
#define NARROW_INFINITE 0x7F800000u
#define WIDE_INFINITE 0x7FF00000u

#define WIDE_MAGNITUDE(high) ((high)&0x7FFFFFFFu)
#define WIDE_IS_NORMAL(high) (((high) >> 20 & 0x7FFu) >= NARROW_LEAST && ((high) >> 20 & 0x7FFu) <= NARROW_MOST)
#define WIDE_IS_SPECIAL(high, low) \
    ((low) == 0u && (WIDE_MAGNITUDE(high) == 0u || WIDE_MAGNITUDE(high) == WIDE_INFINITE))
#define SURVIVES(high, low) \
    (WIDE_IS_SPECIAL(high, low) || (((low)&0x1FFFFFFFu) == 0u && WIDE_IS_NORMAL(high)))

/* The float, where the double survives. */
#define NARROWED(high, low)                                                          \
    (((high)&0x80000000u) | (WIDE_MAGNITUDE(high) == 0u              ? 0u            \
                             : WIDE_MAGNITUDE(high) == WIDE_INFINITE ? NARROW_INFINITE \
                                                                     : ((high) << 3 | (low) >> 29) - (NARROW_BIAS << 23)))

/* And back. */
#define NARROW_IS_SPECIAL(word) \
    (((word)&0x7FFFFFFFu) == 0u || ((word)&0x7FFFFFFFu) == NARROW_INFINITE)
#define WIDENED_HIGH(word)                                                            \
    (((word)&0x80000000u) | (((word)&0x7FFFFFFFu) == 0u                ? 0u           \
                             : ((word)&0x7FFFFFFFu) == NARROW_INFINITE ? WIDE_INFINITE \
                                                                       : (((word)&0x7FFFFFFFu) >> 3) + (NARROW_BIAS << 20)))
#define WIDENED_LOW(word) (NARROW_IS_SPECIAL(word) ? 0u : (word) << 29)
