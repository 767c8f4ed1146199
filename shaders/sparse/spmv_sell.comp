#include "kernel.glsl"
#include "sparse/sell.glsl"

/* y = A x except long rows, A in SELL of slices of 32 rows in their order. Traffic: the padded matrix, x and y once. */
ARGS {
    guard   g;
    u32s    slice; /* slices + 1 offsets into val */
    u32s    col;
    u32s    base; /* if columns are compact */
    values  val;
    scalars x;
    scalars y;
    u32s    bits; /* which rows are long */
    uint    n;     /* rows */
};
CONSTANT(1, lanes);   /* per row: 1, 2, 4 or 8 */
CONSTANT(2, compact); /* whether columns are compact */
CONSTANT(3, longs);   /* whether some rows are long */

void main()
{
    sell A = sell_32(slice, col, base, val, n, compact);
    if (stopped(g))
        return;
    FOR_EACH(i, n)
        if (!(longs != 0 && is_long(bits, i)))
            y.at[i] = sell_row(A, scalars_in(x), slice_at(A, i / 32u), LANE, lanes);
}
