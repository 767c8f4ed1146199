#version 460
#include "kernel.glsl"
#include "solver/control.glsl"

/* y = 0; within a solve (c is not null) only while it is alive. Traffic: y written. */
ARGS {
    control c;
    reals   y;
    uint    n;
};

void main()
{
    if (uvec2(c) != uvec2(0) && !alive(c))
        return;
    FOR_EACH(i, n)
        y.at[i] = real(0);
}
