#include "each.glsl"

/* y = alpha x + beta y. Traffic: x and y read, y written: 3n. */
ARGS {
    guard  g;
    number alpha;
    number beta;
    reals  x;
    reals  y;
    uint   n;
};

void main()
{
    if (stopped(g))
        return;
    FOR_EACH(i, n) {
        y.at[i] = alpha.value * x.at[i] + beta.value * y.at[i];
    }
}
