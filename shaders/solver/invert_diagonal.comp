#include "each.glsl"
#include "sparse/diagonal.glsl"

/* d[i] = 1 / a[i], for a given diagonal, and flags, see diagonal.glsl. Traffic: a read, d written. */
ARGS {
    reals a;
    reals d;
    u32s  flags;
    uint  n;
};

void main()
{
    FOR_EACH(i, n)
        d.at[i] = inverted(flags, i, a.at[i], a.at[0]);
}
