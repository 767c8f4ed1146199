/* Doubles that survive being stored as floats, as words: shared by the shaders, their twins and the library,
 * and the same on every device, whatever its treatment of denormals and NaNs. A value survives if it is zero,
 * infinite, or normal in both and rounds to itself; signs are kept. Denormals of either, which devices may
 * flush, and NaNs do not survive. */
#define NARROW_LEAST (897u << 20) /* least exponent of a normal float, as in a double; their number */
#define NARROW_COUNT (254u << 20)
#define NARROW_BIAS 896u /* exponent of a double minus the exponent of the equal float */
#define NARROW_INFINITE 0x7F800000u
#define WIDE_INFINITE 0x7FF00000u

#define SIGN_OF(word) ((word)&0x80000000u)
#define MAGNITUDE_OF(word) ((word)&0x7FFFFFFFu)
#define WIDE_IS_NORMAL(high) (((high)&0x7FF00000u) - NARROW_LEAST < NARROW_COUNT)
#define WIDE_IS_SPECIAL(high, low) \
    ((low) == 0u && (MAGNITUDE_OF(high) == 0u || MAGNITUDE_OF(high) == WIDE_INFINITE))
#define SURVIVES(high, low) \
    (WIDE_IS_SPECIAL(high, low) || (((low)&0x1FFFFFFFu) == 0u && WIDE_IS_NORMAL(high)))

/* The float, if the double survives. */
#define NARROWED_NORMAL(high, low) (((high) << 3 | (low) >> 29) - (NARROW_BIAS << 23))
#define NARROWED(high, low)                                                   \
    (SIGN_OF(high) | (MAGNITUDE_OF(high) == 0u              ? 0u              \
                      : MAGNITUDE_OF(high) == WIDE_INFINITE ? NARROW_INFINITE \
                                                            : NARROWED_NORMAL(high, low)))

/* The double of such a float. */
#define NARROW_IS_SPECIAL(word) (MAGNITUDE_OF(word) == 0u || MAGNITUDE_OF(word) == NARROW_INFINITE)
#define WIDENED_HIGH(word)                                    \
    (SIGN_OF(word) |                                          \
     (MAGNITUDE_OF(word) == 0u                ? 0u            \
      : MAGNITUDE_OF(word) == NARROW_INFINITE ? WIDE_INFINITE \
                                              : (MAGNITUDE_OF(word) >> 3) + (NARROW_BIAS << 20)))
#define WIDENED_LOW(word) (NARROW_IS_SPECIAL(word) ? 0u : (word) << 29)

/* The double of any other float: a denormal, whose highest bit is 23 - shift, or a NaN. */
#define NARROW_IS_DENORMAL(word) (MAGNITUDE_OF(word) - 1u < 0x7FFFFFu)
#define NARROW_IS_NAN(word) (MAGNITUDE_OF(word) > NARROW_INFINITE)
#define DENORMAL_HIGH(word, shift) \
    (SIGN_OF(word) | ((MAGNITUDE_OF(word) << (shift)&0x7FFFFFu) >> 3) | (NARROW_BIAS + 1u - (shift)) << 20)
#define DENORMAL_LOW(word, shift) ((word) << (shift) << 29)
#define WIDE_NAN 0x7FF80000u
