#include "each.glsl"

/* y[i] = x[index[i]], or NaN if the index is beyond the `most` elements of x. Traffic: a word and two values for each
 * of n. */
ARGS {
    guard g;
    reals x;
    u32s  index;
    reals y;
    uint  n;
    uint  most;
};

#if REAL == 64
#define NOT_A_NUMBER packDouble2x32(uvec2(0u, 0x7FF80000u))
#else
#define NOT_A_NUMBER uintBitsToFloat(0x7FC00000u)
#endif

void main()
{
    if (stopped(g))
        return;
    FOR_EACH(i, n) {
        uint at = index.at[i];
        y.at[i] = at < most ? x.at[at] : NOT_A_NUMBER;
    }
}
