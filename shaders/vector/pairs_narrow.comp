#include "kernel.glsl"
#include "pairs.glsl"

/* y = scale x, from pairs of floats (pairs.glsl) to floats */
ARGS {
    pairs scale; /* one value, a power of two */
    pairs x;
    u32s  y; /* floats, in every precision */
    uint  n;
};

void main()
{
    float s = scale.at[0].x;
    FOR_EACH(i, n)
        y.at[i] = floatBitsToUint(s * x.at[i].x); /* the rounding of the pair */
}
