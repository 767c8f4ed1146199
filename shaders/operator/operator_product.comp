#include "kernel.glsl"
#include "operator/operator.glsl"

/* y = A x, A an operator. Traffic: x and y once, and what the operator reads in addition. */
void main()
{
    if (stopped(g))
        return;
    FOR_EACH(i, n)
        y.at[i] = row(i);
}

#include "operator/row.glsl"
