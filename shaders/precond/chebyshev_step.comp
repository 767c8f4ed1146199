#version 460
#include "kernel.glsl"

/* x = x + w D (b - q), where q = A x, and D is a diagonal; or from x = 0, x = w D b. Traffic: b, q, d and x read, x
 * written: 5n, from x = 0 3n. n less where D has one number in all rows. */
ARGS {
    guard  g;
    number weight;
    reals  d;
    reals  b;
    reals  q;
    reals  x;
    uint   n;
};
CONSTANT(1, varies);    /* 0: D is d[0] in all rows */
CONSTANT(2, from_zero); /* 1: x and q are not read */

void main()
{
    if (stopped(g))
        return;
    real w = weight.value, same = d.at[0];
    FOR_EACH(i, n) {
        real t = from_zero != 0 ? b.at[i] : b.at[i] - q.at[i];
        real change = w * ((varies != 0 ? d.at[i] : same) * t);
        x.at[i] = from_zero != 0 ? change : x.at[i] + change;
    }
}
