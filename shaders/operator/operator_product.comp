#include "kernel.glsl"
#include "operator/operator.glsl"

/* y = A x, A an operator. Traffic: x and y once, and the other data of the operator. */
void main()
{
    if (stopped(g))
        return;
    FOR_EACH(i, n)
        y.at[i] = row(i);
}

#include "operator/row.glsl"
