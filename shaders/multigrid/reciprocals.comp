#include "each.glsl"
#include "exact.glsl"

/* y[i] = 1 / x[i]. Traffic: 2n. */
ARGS {
    reals x;
    reals y;
    uint  n;
};

void main()
{
    FOR_EACH(i, n)
        y.at[i] = divide(real(1), x.at[i]);
}
