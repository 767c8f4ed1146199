#version 460
#include "kernel.glsl"

/* y[i] = i. Traffic: 4 n bytes. */
ARGS {
    u32s y;
    uint n;
};

void main()
{
    FOR_EACH(i, n)
        y.at[i] = i;
}
