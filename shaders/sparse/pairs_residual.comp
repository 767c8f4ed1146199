#define PAIR_SUMS
#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/pairs_row.glsl"

/* r = b - A x in pairs of floats (pairs.glsl). In long rows r is already A x. Traffic: the matrix, x and b once, 8
 * bytes a row for r. */
ARGS {
    u32s  row; /* n + 1 offsets into col and val */
    u32s  col;
    pairs val;
    pairs x;
    pairs b;
    pairs r;
    uint  n;
};
CONSTANT(1, lanes); /* per row */

void main()
{
    uint rows = 256u / lanes, place = ME / lanes, lane = ME % lanes;
    for (uint first = gl_WorkGroupID.x * rows; first < n; first += gl_NumWorkGroups.x * rows) {
        uint i = first + place;
        uvec2 range = uvec2(row.at[min(i, n)], row.at[min(i + 1, n)]);
        bool is_long = range.y - range.x > LONG_ROW;
        vec2 sum = lanes_sum(pair_terms(col, val, x, is_long ? uvec2(0) : range, lane, lanes), lanes);
        if (i < n && lane == 0)
            r.at[i] = pair_plus(b.at[i], -(is_long ? r.at[i] : sum));
    }
}
