#version 460
#include "kernel.glsl"

/* What becomes of the rows of q = A x (sparse/then.h), where the kernel of the product does not see to it. q may be y.
 * Traffic: q, what the form takes, and what it writes, once: 5n for a step, 3n for a residual or a sum, 4n where it is
 * scaled. n less where D has one number in all rows. */
ARGS {
    guard  g;
    number weight;
    reals  d;
    reals  x;
    reals  b;
    reals  q;
    reals  y;
    reals  z;
    uint   n;
};
CONSTANT(1, form);   /* PRODUCT_STEP ... */
CONSTANT(2, varies); /* 0: D is d[0] in all rows */

#include "sparse/then.glsl"

void main()
{
    if (stopped(g))
        return;
    real w = weight_of_all();
    FOR_EACH(i, n)
        leave_row(i, takes_of(i, true), w, q.at[i]);
}
