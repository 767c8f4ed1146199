#version 460
#include "kernel.glsl"

/* y = x */
ARGS {
    reals x;
    reals y;
    uint  n;
};

void main()
{
    FOR_EACH(i, n) {
        y.at[i] = x.at[i];
    }
}
