#include "each.glsl"
#include "exact.glsl"

/* z = x / y, element by element. Traffic: x and y read, z written: 3n. */
ARGS {
    guard g;
    reals x;
    reals y;
    reals z;
    uint  n;
};

void main()
{
    if (stopped(g))
        return;
    FOR_EACH(i, n)
        z.at[i] = divide(x.at[i], y.at[i]);
}
