#include "each.glsl"

/* y = y - alpha x */
ARGS {
    guard  g;
    number alpha;
    reals  x;
    reals  y;
    uint   n;
};

void main()
{
    if (stopped(g))
        return;
    FOR_EACH(i, n) {
        y.at[i] = y.at[i] - alpha.value * x.at[i];
    }
}
