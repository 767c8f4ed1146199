#include "each.glsl"
#include "exact.glsl"

/* y[i] = sqrt(x[i]). Traffic: 2n. */
ARGS {
    reals x;
    reals y;
    uint  n;
};

void main()
{
    FOR_EACH(i, n)
        y.at[i] = square_root(x.at[i]);
}
