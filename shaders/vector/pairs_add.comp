#include "kernel.glsl"
#include "pairs.glsl"

/* y = y + scale x, from floats to pairs of floats (pairs.glsl), and x = 0 */
ARGS {
    pairs scale; /* one value, a power of two */
    u32s  x; /* floats, in every precision */
    pairs y;
    uint  n;
};

void main()
{
    float s = scale.at[0].x;
    FOR_EACH(i, n) {
        y.at[i] = pair_plus_part(y.at[i], s * uintBitsToFloat(x.at[i]));
        x.at[i] = 0;
    }
}
