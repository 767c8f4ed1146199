#include "each.glsl"

/* y[i] = value */
ARGS {
    guard  g;
    reals  y;
    number value;
    uint   n;
};

void main()
{
    if (stopped(g))
        return;
    FOR_EACH(i, n) {
        y.at[i] = value.value;
    }
}
