#include "each.glsl"

/* y = y + alpha x, then x = z + beta x. Traffic: x, y and z read, x and y written: 5n. */
ARGS {
    number alpha;
    number beta;
    reals  x;
    reals  y;
    reals  z;
    uint   n;
};

void main()
{
    FOR_EACH(i, n) {
        real e = x.at[i], f = z.at[i];
        y.at[i] = y.at[i] + alpha.value * e;
        x.at[i] = f + beta.value * e;
    }
}
