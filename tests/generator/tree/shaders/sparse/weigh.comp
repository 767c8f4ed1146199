#include "kernel.glsl"
#include "sparse/weigh.glsl"
layout(local_size_x = 32) in;

/* One more variant for values that are stored narrower. */
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i < n)
        x.at[i] = x.at[i] * val.at[i];
}
