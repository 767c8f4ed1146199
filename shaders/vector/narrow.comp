#version 460
#include "kernel.glsl"

/* y = scale x, from doubles to the working precision */
ARGS {
    doubles x;
    doubles scale; /* one value, a power of two */
    reals   y;
    uint    n;
};

void main()
{
    double s = scale.at[0];
    FOR_EACH(i, n) {
        y.at[i] = real(s * x.at[i]);
    }
}
