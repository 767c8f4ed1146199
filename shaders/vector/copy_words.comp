#include "each.glsl"

/* y = x, in 32-bit words; publishes device data to host-visible memory */
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
