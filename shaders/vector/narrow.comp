#include "each.glsl"

/* y = scale x, from doubles to the working precision */
ARGS {
    guard   g;
    doubles x;
    doubles scale; /* one value, a power of two */
    reals   y;
    uint    n;
};

void main()
{
    if (stopped(g))
        return;
    double s = scale.at[0];
    FOR_EACH(i, n) {
        y.at[i] = real(s * x.at[i]);
    }
}
