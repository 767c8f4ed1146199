#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/slices.glsl"
#include "sparse/leave_tile.glsl"

/* y = A x and the tile sums of own . y, in ELL, or in SELL of any height with the rows in their order. A workgroup
 * takes a tile, one row per invocation. y of long rows is already computed. Traffic: the padded matrix, x and y
 * once. */
ARGS {
    guard   g;
    u32s    slice; /* where each begins in val; null: ELL */
    u32s    col;
    u32s    base; /* if columns are compact */
    values  val;
    scalars x;
    scalars own; /* the elements of x for these rows */
    scalars y;
    sums    s;
    u32s    bits; /* which rows are long */
    zeros   none;
    uint    n;
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
    uint tiles = tiles_of(n), i = gl_WorkGroupID.x * 256u + ME;
    sell_slice place = slice_of(A, i); /* loaded together with the guard */
    if (stopped(g))
        return;
    for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
        scalar_t xi = i < n ? scalars_in(own).at[i] : scalar_t(0); /* loaded together with the row */
        scalar_t term = scalar_t(0);
        if (i < n) {
            scalar_t sum = sell_row(A, scalars_in(x), place, part_of(A, i), lanes);
            if (longs != 0 && is_long(bits, i))
                sum = y.at[i];
            else
                y.at[i] = sum;
            term = mul(conj(xi), sum);
        }
        leave_tile(s, tile, term);
        i += gl_NumWorkGroups.x * 256u;
        place = slice_of(A, i);
    }
}
