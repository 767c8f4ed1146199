#include "kernel.glsl"

/* Applies an operation to the rows of q = A x (sparse/then.h), if the product's kernel does not. q may be y. Traffic:
 * q, the operands and results of the form, once: 5n for a step, 3n for a residual or a sum, 4n for a scaled one; n less
 * if D has one number in all rows. */
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
