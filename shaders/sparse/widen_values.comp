#include "kernel.glsl"
#include "sparse/narrow.h"

/* Converts floats to doubles, exactly for any treatment of denormals and NaNs (sparse/narrow.h). Traffic: 12 n
 * bytes. */
ARGS {
    guard g;
    u32s  from;
    u32s  to; /* two words each */
    uint  n;
};

ADDRESS(8) writeonly restrict buffer doubles_out { uvec2 at[]; };

uvec2 widened(uint word)
{
    if (NARROW_IS_NAN(word))
        return uvec2(0, SIGN_OF(word) | WIDE_NAN);
    if (NARROW_IS_DENORMAL(word)) {
        uint shift = 23u - uint(findMSB(MAGNITUDE_OF(word)));
        return uvec2(DENORMAL_LOW(word, shift), DENORMAL_HIGH(word, shift));
    }
    return uvec2(WIDENED_LOW(word), WIDENED_HIGH(word));
}

void main()
{
    if (stopped(g))
        return;
    FOR_EACH(i, n) {
        doubles_out(to).at[i] = widened(from.at[i]);
    }
}
