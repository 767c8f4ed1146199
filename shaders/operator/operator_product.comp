#version 460
#include "kernel.glsl"
#include "operator/operator.glsl"

/* y = A x, A an operator; within a solve (c is not null) only while it is alive. Traffic: x and y once, and what
 * the operator reads beside. */
void main()
{
    if (uvec2(c) != uvec2(0) && !alive(c))
        return;
    FOR_EACH(i, n)
        y.at[i] = row(i);
}

#include "operator/row.glsl"
