#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/sell.glsl"
#include "sparse/leave_tile.glsl"

/* y = A x and the tile sums of own . y, in SELL of slices of 32 rows in their order. A workgroup takes a tile, one row
 * per invocation. y of long rows is already computed. Traffic: the padded matrix, x and y once. */
ARGS {
    guard   g;
    u32s    slice; /* slices + 1 offsets into val */
    u32s    col;
    u32s    base; /* if columns are compact */
    values  val;
    scalars x;
    scalars own; /* the elements of x for these rows */
    scalars y;
    sums    s;
    u32s    bits; /* which rows are long */
    uint    n;
};
CONSTANT(1, lanes);   /* per row: 1, 2, 4 or 8 */
CONSTANT(2, compact); /* whether columns are compact */
CONSTANT(3, longs);   /* whether some rows are long */

void main()
{
    sell A = sell_32(slice, col, base, val, n, compact);
    uint tiles = tiles_of(n);
    sell_slice place = slice_at(A, gl_WorkGroupID.x * 8u + SQUAD); /* loaded together with the guard */
    if (stopped(g))
        return;
    for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
        uint i = 256u * tile + ME;
        scalar_t xi = i < n ? scalars_in(own).at[i] : scalar_t(0); /* loaded together with the row */
        scalar_t sum = sell_row(A, scalars_in(x), place, LANE, lanes);
        if (i < n && longs != 0 && is_long(bits, i))
            sum = y.at[i];
        else if (i < n)
            y.at[i] = sum;
        leave_tile(s, tile, i < n ? mul(conj(xi), sum) : scalar_t(0));
        place = slice_at(A, (tile + gl_NumWorkGroups.x) * 8u + SQUAD);
    }
}
