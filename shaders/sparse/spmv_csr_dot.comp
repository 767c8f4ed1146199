#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/csr.glsl"
#include "sparse/leave_tile.glsl"

/* y = A x and the tile sums of own . y, in CSR with one lane a row. With more lanes per row a workgroup would need
 * several iterations for one tile: spmv_csr and then dot_stripes are faster. y of long rows is already computed.
 * Traffic: the matrix, x and y once. */
ARGS {
    guard   g;
    u32s    row; /* n + 1 offsets into col and val */
    u32s    col;
    values  val;
    scalars x;
    scalars own; /* the elements of x for these rows */
    scalars y;
    sums    s;
    uint    n;
};

void main()
{
    csr A = csr(offsets_in(row), offsets_in(col), values_in(val), n);
    uint i = gl_WorkGroupID.x * 256u + ME, tiles = tiles_of(n);
    uvec2 range = row_range(A, i); /* loaded together with the guard */
    if (stopped(g))
        return;
    for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
        scalar_t sum = row_terms(A, scalars_in(x), range_if_short(range), 0, 1);
        if (is_long(range))
            sum = y.at[i];
        else if (i < n)
            y.at[i] = sum;
        leave_tile(s, tile, i < n ? mul(conj(own.at[i]), sum) : scalar_t(0));
        i += gl_NumWorkGroups.x * 256u;
        range = row_range(A, i);
    }
}
