#include "each.glsl"

/* to[i] = from[place[i]]. Traffic: 8 bytes for each of n, and as many random reads. */
ARGS {
    u32s from;
    u32s place;
    u32s to;
    uint n;
};

void main()
{
    FOR_EACH(i, n)
        to.at[i] = from.at[place.at[i]];
}
