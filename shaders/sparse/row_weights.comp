#include "each.glsl"
#include "sparse/exponents.h"

/* weight[i] = 2^-e, where e is magnitude[i] of row_magnitudes.comp, rounded to an integer from -most to most. Rows
 * without a magnitude have weight 1. Traffic: a word and 8 bytes for each row. */
ARGS {
    u32s    magnitude;
    doubles weight;
    uint    most;
    uint    n;
};

void main()
{
    FOR_EACH(i, n) {
        uint word = magnitude.at[i];
        int e = int(LOG_ROUNDED(word)) - (LOG_BIAS >> LOG_BITS);
        int exponent = word == 0u ? 0 : clamp(e, -int(most), int(most));
        weight.at[i] = packDouble2x32(uvec2(0u, uint(1023 - exponent) << 20));
    }
}
