#version 460
#include "kernel.glsl"

/* to[i] = from[place[i]]. Traffic: a word and a value for each of n, and as many random reads. */
ARGS {
    reals from;
    u32s  place;
    reals to;
    uint  n;
};

void main()
{
    FOR_EACH(i, n)
        to.at[i] = from.at[place.at[i]];
}
