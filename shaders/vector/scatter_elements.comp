#include "each.glsl"

/* x[index[i]] = y[i], unless the index is beyond the `most` elements of x. Traffic: a word and two values for each of
 * n. */
ARGS {
    guard g;
    reals y;
    u32s  index;
    reals x;
    uint  n;
    uint  most;
};

void main()
{
    if (stopped(g))
        return;
    FOR_EACH(i, n) {
        uint at = index.at[i];
        if (at < most)
            x.at[at] = y.at[i];
    }
}
