#define REAL_SUMS
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"

/* Signs of a row: positive[i] = the sum of its positive entries, other[i] the sum of all magnitudes, both without the
 * diagonal, and dominated[i] = 1 if other[i] is below 0.9 times the diagonal entry, else 0. Lane l takes the entries l,
 * l + lanes ..., for any row length, then the halving tree. Traffic: the matrix once, 3n. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val */
    u32s   col;
    values val;
    reals  positive;
    reals  other;
    reals  dominated;
    uint   n;
};
CONSTANT(1, lanes); /* per row: 1, 2 ... 32 */

void main()
{
    uint rows = 256u / lanes;
    for (uint first = gl_WorkGroupID.x * rows; first < n; first += gl_NumWorkGroups.x * rows) {
        uint i = first + ME / lanes, end = i < n ? row.at[i + 1u] : 0u;
        real above = real(0), all = real(0), diagonal = real(0);
        for (uint k = i < n ? row.at[i] + ME % lanes : 0u; k < end; k += lanes) {
            scalar_t a = scalar_t(val.at[k]);
            bool is_diagonal = col.at[k] == i;
            diagonal = is_diagonal ? real_part(a) : diagonal;
            all = is_diagonal ? all : all + magnitude(a);
            above = is_diagonal || !(real_part(a) > real(0)) ? above : above + real_part(a);
        }
        all = lanes_sum(all, lanes);
        above = lanes_sum(above, lanes);
        diagonal = lanes_sum(diagonal, lanes); /* zero in the other lanes */
        if (i < n && ME % lanes == 0u) {
            positive.at[i] = above;
            other.at[i] = all;
            dominated.at[i] = real(real(10) * all < real(9) * diagonal ? 1 : 0);
        }
    }
}
