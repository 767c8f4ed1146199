#include "each.glsl"

/* z = w D x, D a diagonal. Traffic: d and x read, z written: 3n; n less if D has one number in all rows. */
ARGS {
    guard  g;
    number weight;
    reals  d;
    reals  x;
    reals  z;
    uint   n;
};
CONSTANT(1, varies); /* 0: D is d[0] in all rows */

void main()
{
    if (stopped(g))
        return;
    real w = weight.value, same = d.at[0];
    FOR_EACH(i, n)
        z.at[i] = w * ((varies != 0 ? d.at[i] : same) * x.at[i]);
}
