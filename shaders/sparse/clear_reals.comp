#version 460
#include "kernel.glsl"
#include "sparse/long.glsl"

/* y = 0 but for long rows, which are there already. Traffic: y written. */
ARGS {
    guard g;
    u32s  bits; /* whether a row is long; null where none is */
    reals y;
    uint  n;
};

void main()
{
    if (stopped(g))
        return;
    FOR_EACH(i, n)
        if (!is_long(bits, i))
            y.at[i] = real(0);
}
