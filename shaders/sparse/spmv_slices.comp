#include "kernel.glsl"
#include "sparse/slices.glsl"

/* y = A x except long rows, A in ELL, or in SELL of any height and order. For slices of 32 rows in their order
 * spmv_sell.comp is cheaper. Traffic: the padded matrix, the order, x and y once. */
ARGS {
    guard   g;
    u32s    slice; /* where each begins in val; null: ELL */
    u32s    col;
    u32s    base; /* if columns are compact */
    values  val;
    u32s    order; /* of the rows; null: unchanged */
    scalars x;
    scalars y;
    u32s    bits; /* which rows are long */
    zeros   none;
    uint    n;      /* rows */
    uint    height; /* of a slice */
    uint    width;  /* ELL: of all rows */
};
DEFINE_NO_ADDRESS
CONSTANT(1, lanes);   /* per row: 1, 2, 4 or 8 */
CONSTANT(2, compact); /* whether columns are compact */
CONSTANT(3, longs);   /* whether some rows are long */

void main()
{
    sell A = slices_of(slice, col, base, val, n, height, width, compact);
    uint i = gl_WorkGroupID.x * 256u + ME;
    sell_slice s = slice_of(A, i); /* loaded together with the guard */
    if (stopped(g))
        return;
    while (i < n) {
        uint row = row_of(order, n, i);
        scalar_t sum = sell_row(A, scalars_in(x), s, part_of(A, i), lanes);
        if (!(longs != 0 && is_long(bits, row)))
            y.at[row] = sum;
        i += gl_NumWorkGroups.x * 256u;
        s = slice_of(A, i);
    }
}
