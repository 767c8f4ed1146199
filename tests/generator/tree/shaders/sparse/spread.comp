#extension GL_KHR_shader_subgroup_basic : require
#include "kernel.glsl"
layout(local_size_x = 64) in;

/* One of each kind of floating-point arithmetic, in double too, and a variant that differs by SUBGROUP. */
ARGS {
    reals x;
    sums s;
    uint n;
};

void main()
{
#if SUBGROUP
    uint i = gl_SubgroupInvocationID;
#else
    uint i = gl_LocalInvocationIndex;
#endif
    if (i >= n)
        return;
    real a = x.at[i], b = x.at[i + n];
    vec2 v = vec2(a, b);
    mat2 m = outerProduct(v, v * float(a));
    v = m * v + v * m;
    m = m * m * float(b);
    double d = double(a) / double(b);
    s.at[i] = fma(a, b, -a) - mod(b, a) + dot(v, m[0]) * real(d);
}
