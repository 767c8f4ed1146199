#version 460
#include "kernel.glsl"
#include "sparse/long.glsl"
#include "solver/control.glsl"

/* y = 0 but for long rows, which are there already; within a solve (c is not null) only while it is alive. Traffic: y
 * written. */
ARGS {
    control c;
    u32s    bits; /* whether a row is long; null where none is */
    reals   y;
    uint    n;
};

void main()
{
    if (uvec2(c) != uvec2(0) && !alive(c))
        return;
    FOR_EACH(i, n)
        if (!is_long(bits, i))
            y.at[i] = real(0);
}
