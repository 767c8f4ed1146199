#include "kernel.glsl"
layout(local_size_x = 256) in;

/* n stands before an address, so that the struct has a hole, and no code reads `unused`. */
ARGS {
    uint n;
    number alpha;
    readonly reals x;
    restrict reals y;
    u32s unused;
    uint last;
};

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i < n && i <= last) {
        precise real scaled = alpha.value * x.at[i];
        y.at[i] = y.at[i] + scaled;
    }
}
