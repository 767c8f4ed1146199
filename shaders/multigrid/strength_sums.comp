#include "kernel.glsl"
#include "sum.glsl"

/* positive[i] = the sum of the positive entries of row i, and other[i] the sum of all magnitudes, both without the
 * diagonal. Lane l takes the entries l, l + lanes ..., then the halving tree. Traffic: the matrix once, 2n. */
ARGS {
    u32s  row; /* n + 1 offsets into col and val */
    u32s  col;
    reals val;
    reals positive;
    reals other;
    uint  n;
};
CONSTANT(1, lanes); /* per row: 1, 2 ... 32 */

void main()
{
    uint rows = 256u / lanes;
    for (uint first = gl_WorkGroupID.x * rows; first < n; first += gl_NumWorkGroups.x * rows) {
        uint i = first + ME / lanes, end = i < n ? row.at[i + 1u] : 0u;
        real above = real(0), all = real(0);
        for (uint k = i < n ? row.at[i] + ME % lanes : 0u; k < end; k += lanes) {
            real a = val.at[k];
            if (col.at[k] == i)
                continue;
            all = all + abs(a);
            above = a > real(0) ? above + a : above;
        }
        all = lanes_sum(all, lanes);
        above = lanes_sum(above, lanes);
        if (i < n && ME % lanes == 0u) {
            positive.at[i] = above;
            other.at[i] = all;
        }
    }
}
