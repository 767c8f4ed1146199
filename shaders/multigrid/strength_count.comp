#include "kernel.glsl"
#include "sum.glsl"
#include "lanes.glsl"
#include "multigrid/strength.glsl"

/* count[i] = the number of strong entries of row i, including its diagonal. filtered[i] = the diagonal of the filtered
 * matrix: the sum of a_ii and all entries that are not strong, if that is not too small, else a_ii. Lane l takes the
 * entries l, l + lanes ..., then the halving tree. Traffic: the matrix once, roots and maxima gathered, n and 4n
 * bytes. */
ARGS {
    u32s  row; /* n + 1 offsets into col and val */
    u32s  col;
    reals val;
    reals root;
    reals signs;
    u32s  most;
    u32s  count;
    reals filtered;
    zeros none;
    uint  n;
    uint  threshold; /* bits of a float */
};
DEFINE_NO_ADDRESS
CONSTANT(1, lanes); /* per row: 1, 2 ... 32 */

void main()
{
    bool negative = only_negative(signs);
    float least = uintBitsToFloat(threshold);
    FOR_ROWS(i, n, lanes) {
        uint end = i < n ? row.at[i + 1u] : 0u, strong = 0u;
        real root_i = i < n ? root.at[i] : real(0), weak = real(0), diagonal = real(0);
        uint most_i = i < n ? most.at[i] : 0u;
        for (uint k = i < n ? row.at[i] + ME % lanes : 0u; k < end; k += lanes) {
            uint j = col.at[k];
            real a = val.at[k];
            if (j == i)
                diagonal = a;
            else if (is_strong(strength_bits(a, root_i, root.at[j], negative), most_i, most.at[j], least))
                strong++;
            else
                weak = weak + a;
        }
        strong = lanes_total(strong, lanes);
        weak = lanes_sum(weak, lanes);
        diagonal = lanes_sum(diagonal, lanes); /* zero in the other lanes */
        if (i < n && ME % lanes == 0u) {
            real lumped = diagonal + weak;
            count.at[i] = strong + 1u;
            filtered.at[i] = lumped < real(LEAST_FILTERED) * diagonal ? diagonal : lumped;
        }
    }
}
