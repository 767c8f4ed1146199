#include "kernel.glsl"
#include "sparse/slices.glsl"

/* A x and the operation on its rows (sparse/then.h), A without long rows, in ELL, or in SELL of any height and order.
 * y is not x. Traffic: the padded matrix, the order, x, and the operands and results of the form, once. */
ARGS {
    guard       g;
    u32s        slice; /* where each begins in val; null: ELL */
    u32s        col;
    u32s        base; /* if columns are compact */
    values      val;
    u32s        order; /* of the rows; null: unchanged */
    real_number weight;
    scalars     d;
    scalars     x;
    scalars     b;
    scalars     y;
    scalars     z;
    zeros       none;
    uint        n;      /* rows */
    uint        height; /* of a slice */
    uint        width;  /* ELL: of all rows */
};
DEFINE_NO_ADDRESS
CONSTANT(1, lanes);   /* per row: 1, 2 ... 32 */
CONSTANT(2, compact); /* whether columns are compact */
CONSTANT(3, form);    /* PRODUCT_STEP ... */
CONSTANT(4, varies);  /* 0: D is d[0] in all rows */

#include "sparse/then.glsl"

void main()
{
    sell A = slices_of(slice, col, base, val, n, height, width, compact);
    uint i = gl_WorkGroupID.x * 256u + ME;
    sell_slice s = slice_of(A, i); /* loaded together with the guard */
    if (stopped(g))
        return;
    real w = weight_of_all();
    while (i < n) {
        uint row = row_of(order, n, i);
        row_takes t = takes_of(row, true);
        scalar_t sum;
        if (lanes > 8u)
            sum = sell_row_of_many_lanes(A, scalars_in(x), s, part_of(A, i), lanes);
        else
            sum = sell_row(A, scalars_in(x), s, part_of(A, i), lanes);
        leave_row(row, t, w, sum);
        i += gl_NumWorkGroups.x * 256u;
        s = slice_of(A, i);
    }
}
