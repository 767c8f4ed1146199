#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/bsr_row.glsl"
#include "sparse/leave_tile.glsl"

/* y = A x and the tile sums of own . y, in BSR. A workgroup takes a tile, in one iteration per part of a row. y of
 * long rows is already computed. Traffic: as spmv_bsr. */
ARGS {
    guard   g;
    u32s    row; /* n + 1 offsets, of CSR */
    u32s    slice;
    u32s    block;
    u32s    first;
    u32s    mask; /* if some blocks are partial */
    values  val;
    scalars x;
    scalars own; /* the elements of x for these rows */
    scalars y;
    sums    s;
    uint    n;
};
CONSTANT(1, size);  /* of a block: 2 to 8 */
CONSTANT(2, lanes); /* per row */
CONSTANT(3, full);  /* whether all blocks are full */

shared scalar_t sum_of_row[256];

void main()
{
    bsr A = bsr(offsets_in(row), offsets_in(slice), offsets_in(block), offsets_in(first), offsets_in(mask),
                values_in(val), n, size, full != 0);
    uint rows = 256u / parts_of(lanes), part = ME / rows, place = ME % rows, tiles = tiles_of(n);
    bsr_row p = row_at(A, gl_WorkGroupID.x * 256u + place); /* loaded together with the guard */
    if (stopped(g))
        return;
    for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
        uint i = 256u * tile + ME;
        scalar_t xi = i < n ? scalars_in(own).at[i] : scalar_t(0); /* loaded together with the rows */
        for (uint from = 0; from < 256u; from += rows) {
            scalar_t sum = bsr_sum(A, scalars_in(x), p, part, lanes);
            if (part == 0u)
                sum_of_row[from + place] = p.is_long ? y.at[256u * tile + from + place] : sum;
            uint next = from + rows < 256u ? 256u * tile + from + rows : 256u * (tile + gl_NumWorkGroups.x);
            p = row_at(A, next + place);
        }
        barrier();
        scalar_t sum = sum_of_row[ME];
        if (i < n)
            y.at[i] = sum;
        leave_tile(s, tile, i < n ? mul(conj(xi), sum) : scalar_t(0));
    }
}
