#include "kernel.glsl"
#include "exact.glsl"
#include "sum.glsl"
#include "lanes.glsl"
#include "multigrid/strength.h"
#include "sparse/bounds.glsl"

/* S = I - w F^-1 A_F, whose structure is known. A_F has the entries of A that are also in S, and F is its diagonal:
 * the sum of a_ii and all other entries of the row, if that is not too small, else a_ii. A has all entries of S. Lane
 * l takes the entries l, l + lanes ..., then the halving tree. Traffic: the matrix twice, the columns of S gathered, a
 * real for each entry of S. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val: A */
    u32s   col;
    reals  val;
    u32s   to_row; /* the same of S */
    u32s   to_col;
    reals  to_val;
    number w;
    uint   n;
};
CONSTANT(1, lanes); /* per row: 1, 2 ... 32 */

void main()
{
    real weight = w.value;
    FOR_ROWS(i, n, lanes) {
        uint begin = i < n ? row.at[i] + ME % lanes : 0u, end = i < n ? row.at[i + 1u] : 0u;
        uint first = i < n ? to_row.at[i] : 0u, last = i < n ? to_row.at[i + 1u] : 0u;
        real weak = real(0), diagonal = real(0);
        for (uint k = begin; k < end; k += lanes) {
            uint j = col.at[k], e = lower_bound(to_col, first, last, j);
            if (j == i)
                diagonal = val.at[k];
            else if (e == last || to_col.at[e] != j)
                weak = weak + val.at[k];
        }
        weak = lanes_sum(weak, lanes);
        diagonal = lanes_sum(diagonal, lanes); /* zero in the other lanes */
        real lumped = diagonal + weak;
        real factor = i < n ? divide(weight, lumped < real(LEAST_FILTERED) * diagonal ? diagonal : lumped) : real(0);
        for (uint k = begin; k < end; k += lanes) {
            uint j = col.at[k], e = lower_bound(to_col, first, last, j);
            if (e < last && to_col.at[e] == j)
                to_val.at[e] = j == i ? real(1) - weight : -(factor * val.at[k]);
        }
    }
}
