#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/csr.glsl"

/* y = the sums of rows, except long ones, of given terms, in the order of a row of CSR (csr.glsl). Traffic: the terms,
 * the offsets and y once. */
ARGS {
    guard   g;
    u32s    row; /* n + 1 offsets into term */
    scalars term;
    scalars y;
    uint    n;
    uint    lanes;
};

scalar_t lane_sum(uint k, uint end)
{
    scalars_in terms = scalars_in(term);
    scalar_t sum = scalar_t(0);
    for (; k + 3u * lanes < end; k += 4u * lanes) {
        scalar_t v0 = terms.at[k], v1 = terms.at[k + lanes], v2 = terms.at[k + 2u * lanes],
                 v3 = terms.at[k + 3u * lanes];
        sum = sum + v0;
        sum = sum + v1;
        sum = sum + v2;
        sum = sum + v3;
    }
    for (; k < end; k += lanes)
        sum = sum + terms.at[k];
    return sum;
}

void main()
{
    if (stopped(g))
        return;
    uint rows = 256u / lanes, lane = ME % lanes;
    for (uint first = gl_WorkGroupID.x * rows; first < n; first += gl_NumWorkGroups.x * rows) {
        uint i = first + ME / lanes;
        uvec2 all = uvec2(row.at[min(i, n)], row.at[min(i + 1u, n)]), range = range_if_short(all);
        scalar_t sum = lanes_sum(lane_sum(range.x + lane, range.y), lanes);
        if (i < n && lane == 0 && !is_long(all))
            y.at[i] = sum;
    }
}
