#include "each.glsl"
#include "sparse/long.glsl"

/* y = 0 except in long rows, which are already computed. Traffic: y written. */
ARGS {
    guard g;
    u32s  bits; /* whether a row is long; null: none is */
    reals y;
    uint  n;
};
CONSTANT(1, longs); /* whether some rows are long */

void main()
{
    if (stopped(g))
        return;
    FOR_EACH(i, n)
        if (!(longs != 0 && is_long(bits, i)))
            y.at[i] = real(0);
}
