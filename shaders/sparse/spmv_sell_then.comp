#include "kernel.glsl"
#include "sparse/sell.glsl"

/* A x and the operation on its rows (sparse/then.h), A without long rows, in SELL of slices of 32 rows in their order.
 * y is not x. Traffic: the padded matrix, x, and the operands and results of the form, once. */
ARGS {
    guard       g;
    u32s        slice; /* slices + 1 offsets into val */
    u32s        col;
    u32s        base; /* if columns are compact */
    values      val;
    real_number weight;
    scalars     d;
    scalars     x;
    scalars     b;
    scalars     y;
    scalars     z;
    uint        n;     /* rows */
};
CONSTANT(1, lanes);   /* per row: 1, 2, 4 or 8 */
CONSTANT(2, compact); /* whether columns are compact */
CONSTANT(3, form);    /* PRODUCT_STEP ... */
CONSTANT(4, varies);  /* 0: D is d[0] in all rows */

#include "sparse/then.glsl"

void main()
{
    sell A = sell_32(slice, col, base, val, n, compact);
    if (stopped(g))
        return;
    real w = weight_of_all();
    FOR_EACH(i, n) {
        row_takes t = takes_of(i, true);
        leave_row(i, t, w, sell_row(A, scalars_in(x), slice_at(A, i / 32u), LANE, lanes));
    }
}
