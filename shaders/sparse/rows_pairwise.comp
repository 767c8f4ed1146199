#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/csr.glsl"

/* y = the sums of rows, except long ones, of given terms, in pairs: a halving tree over 256 terms; missing ones count
 * as zero. A lane group takes a row. Traffic: the terms, the offsets and y once.
 *
 * N. J. Higham, "The accuracy of floating point summation", SIAM J. Sci. Comput. 14 (1993): the error grows with log
 * n. */
ARGS {
    guard   g;
    u32s    row; /* n + 1 offsets into term */
    scalars term;
    scalars y;
    uint    n;
};

/* The terms k, k + 64, k + 128, k + 192 of a row. */
scalar_t part_sum(uint k, uint end)
{
    scalars_in terms = scalars_in(term);
    scalar_t v[4];
    [[unroll]] for (uint u = 0; u < 4u; u++)
        v[u] = k + 64u * u < end ? terms.at[k + 64u * u] : scalar_t(0);
    return half_sum(v);
}

void main()
{
    if (stopped(g))
        return;
    for (uint first = 8u * gl_WorkGroupID.x; first < n; first += 8u * gl_NumWorkGroups.x) {
        uint i = first + SQUAD;
        uvec2 all = uvec2(row.at[min(i, n)], row.at[min(i + 1u, n)]), range = range_if_short(all);
        scalar_t sum = tile_sum(part_sum(range.x + LANE, range.y), part_sum(range.x + LANE + 32u, range.y));
        if (i < n && LANE == 0 && !is_long(all))
            y.at[i] = sum;
    }
}
