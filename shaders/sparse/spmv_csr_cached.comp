#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/csr.glsl"
#include "sparse/csr_cached.h"

/* y = A x except long rows, A in CSR, with the bits of spmv_csr. A workgroup takes 256 rows, and loads their elements
 * of x once into shared memory, if they fit: in matrices of small bandwidth. Traffic: the matrix, y and the windows
 * once; x once plus the overlap of windows.
 *
 * The classic form for GPUs without caches, kept for measurements. */
ARGS {
    guard   g;
    u32s    row; /* n + 1 offsets into col and val */
    u32s    col;
    values  val;
    u32s    window; /* of each 256 rows: the first column and how many */
    scalars x;
    scalars y;
    uint    n;
};
CONSTANT(1, lanes); /* per row */

shared scalar_t kept[CACHED_MOST];

scalar_t element(uint column, uvec2 columns)
{
    return columns.y != 0 ? kept[column - columns.x] : scalars_in(x).at[column];
}

scalar_t lane_sum(uint k, uint end, uvec2 columns)
{
    offsets_in cols = offsets_in(col);
    values_in vals = values_in(val);
    scalar_t sum = scalar_t(0);
    for (; k + 3u * lanes < end; k += 4u * lanes) {
        uint k1 = k + lanes, k2 = k1 + lanes, k3 = k2 + lanes;
        uint c0 = cols.at[k], c1 = cols.at[k1], c2 = cols.at[k2], c3 = cols.at[k3];
        scalar_t v0 = vals.at[k], v1 = vals.at[k1], v2 = vals.at[k2], v3 = vals.at[k3];
        sum = sum + mul(v0, element(c0, columns));
        sum = sum + mul(v1, element(c1, columns));
        sum = sum + mul(v2, element(c2, columns));
        sum = sum + mul(v3, element(c3, columns));
    }
    for (; k < end; k += lanes)
        sum = sum + mul(vals.at[k], element(cols.at[k], columns));
    return sum;
}

void main()
{
    if (stopped(g))
        return;
    uint tiles = groups_of(n, CACHED_ROWS), lane = ME % lanes;
    for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
        uvec2 columns = uvec2(window.at[2u * tile], window.at[2u * tile + 1u]);
        for (uint j = ME; j < columns.y; j += 256u)
            kept[j] = x.at[columns.x + j];
        barrier();
        for (uint turn = 0; turn < lanes; turn++) {
            uint i = CACHED_ROWS * tile + (256u * turn + ME) / lanes;
            uvec2 all = uvec2(row.at[min(i, n)], row.at[min(i + 1u, n)]), range = range_if_short(all);
            scalar_t sum = lanes_sum(lane_sum(range.x + lane, range.y, columns), lanes);
            if (i < n && lane == 0 && !is_long(all))
                y.at[i] = sum;
        }
        barrier(); /* the window has been read */
    }
}
