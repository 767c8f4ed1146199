#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/leave_tile.glsl"

/* y = A x and the tile sums of own . y, in SELL of slices of 32 rows whose entries are codes. A workgroup takes a tile
 * at a time, one row per invocation. y of long rows is already computed. Traffic: the codes, x and y once, and the
 * table of kinds. */
ARGS {
    guard   g;
    u32s    slice; /* slices + 1 offsets, as if entries were stored one by one */
    u32s    code;
    u32s    apart; /* of each kind, and of code 0 */
    values  value;
    scalars x;
    scalars own; /* the elements of x for these rows */
    scalars y;
    sums    s;
    u32s    bits; /* which rows are long */
    uint    n;
    uint    units; /* of four entries, per row in every slice; 0: see `slice` */
};
CONSTANT(1, wide);  /* whether a code has 16 bits, else 8 */
CONSTANT(2, lanes); /* per row: 1, 2, 4 or 8 */
CONSTANT(3, longs); /* whether some rows are long */
CONSTANT(4, few);   /* `units` if they are few, else 0 */

#include "sparse/coded.glsl"

void main()
{
    coded A = coded_of(slice, code, apart, value, n, few != 0 ? few : units, wide);
    uint tiles = tiles_of(n);
    /* Loaded together with the state. */
    coded_slice place = coded_slice_at(A, gl_WorkGroupID.x * 8u + SQUAD);
    if (stopped(g))
        return;
    for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
        uint i = 256u * tile + ME;
        scalar_t xi = i < n ? scalars_in(own).at[i] : scalar_t(0); /* loaded together with the row */
        /* Beyond the last slice, uses the last one again: x has elements only for its rows. */
        scalar_t sum = coded_row(A, scalars_in(x), place, min(i, 32u * (A.slices - 1u) + LANE), lanes, few);
        if (i < n && longs != 0 && is_long(bits, i))
            sum = y.at[i];
        else if (i < n)
            y.at[i] = sum;
        leave_tile(s, tile, i < n ? mul(conj(xi), sum) : scalar_t(0));
        place = coded_slice_at(A, (tile + gl_NumWorkGroups.x) * 8u + SQUAD);
    }
}
