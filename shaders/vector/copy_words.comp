#version 460
#include "kernel.glsl"

/* y = x, 32-bit words: what the device publishes to memory that the host sees */
ARGS {
    guard g;
    u32s  x;
    u32s  y;
    uint  n;
};

void main()
{
    if (stopped(g))
        return;
    FOR_EACH(i, n) {
        y.at[i] = x.at[i];
    }
}
