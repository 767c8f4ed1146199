#include "each.glsl"
#include "sparse/exponents.h"

/* exponent = scale, rounded to an integer from -most to most. Traffic: 2 n words. */
ARGS {
    u32s scale;    /* integers, in the units of logarithms */
    u32s exponent; /* integers */
    uint most;
    uint n;
};

void main()
{
    FOR_EACH(i, n) {
        uint above = scale.at[i] + uint(LOG_BIAS) + (1u << (LOG_BITS - 1));
        int e = int(above >> LOG_BITS) - (LOG_BIAS >> LOG_BITS);
        exponent.at[i] = uint(clamp(e, -int(most), int(most)));
    }
}
