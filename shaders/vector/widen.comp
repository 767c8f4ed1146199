#version 460
#include "kernel.glsl"

/* y = x, from the working precision to doubles. */
ARGS {
    reals   x;
    doubles y;
    uint    n;
};

void main()
{
    FOR_EACH(i, n)
        y.at[i] = double(x.at[i]);
}
