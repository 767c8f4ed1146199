#include "each.glsl"

/* y = y + scale x, from the working precision into doubles, and x = 0 */
ARGS {
    guard   g;
    doubles scale; /* one value, a power of two */
    reals   x;
    doubles y;
    uint    n;
};

void main()
{
    if (stopped(g))
        return;
    double s = scale.at[0];
    FOR_EACH(i, n) {
        y.at[i] = y.at[i] + s * double(x.at[i]);
        x.at[i] = real(0);
    }
}
