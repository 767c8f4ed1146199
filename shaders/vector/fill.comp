#version 460
#include "kernel.glsl"

/* y[i] = value */
ARGS {
    reals  y;
    number value;
    uint   n;
};

void main()
{
    FOR_EACH(i, n) {
        y.at[i] = value.value;
    }
}
