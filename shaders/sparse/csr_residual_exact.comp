#define PAIR_SUMS
#define WIDE_PAIRS
#include "kernel.glsl"
#include "sum.glsl"

/* csr_residual in pairs of doubles (pairs.glsl), rounded to doubles, including long rows: for a residual as small as
 * the rounding errors of its terms. Traffic: the matrix, x and b once, 8 bytes a row for r. */
ARGS {
    u32s    row; /* n + 1 offsets into col and val */
    u32s    col;
    values  val;
    reals   x;
    reals   b;
    doubles r;
    uint    n;
    uint    fixpoint;
};
CONSTANT(1, lanes); /* per row */

void main()
{
    uint rows = 256u / lanes, place = ME / lanes, lane = ME % lanes;
    for (uint first = gl_WorkGroupID.x * rows; first < n; first += gl_NumWorkGroups.x * rows) {
        uint i = first + place, begin = row.at[min(i, n)], end = row.at[min(i + 1, n)];
        dvec2 sum = dvec2(0);
        for (uint k = begin + lane; k < end; k += lanes)
            sum = pair_plus(sum, exact_product(double(val.at[k]), double(x.at[col.at[k]])));
        sum = lanes_sum(sum, lanes);
        if (i < n && lane == 0) {
            dvec2 b_i = dvec2(double(b.at[i]), 0);
            dvec2 r_i = pair_plus(b_i, fixpoint != 0 ? sum : -sum);
            r.at[i] = fixpoint != 0 ? pair_plus(r_i, dvec2(-double(x.at[i]), 0)).x : r_i.x;
        }
    }
}
