#include "each.glsl"

/* z = d x, element by element. Traffic: d and x read, z written. */
ARGS {
    guard g;
    reals d;
    reals x;
    reals z;
    uint  n;
};

void main()
{
    if (stopped(g))
        return;
    FOR_EACH(i, n)
        z.at[i] = d.at[i] * x.at[i];
}
