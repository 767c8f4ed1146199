#include "kernel.glsl"
#include "exact.glsl"
#include "lanes.glsl"
#include "multigrid/strength.glsl"

/* The strong entries of A and its diagonal, with their strengths (1 on the diagonal), and the smoother of the
 * tentative prolongator: S = I - w F^-1 A_F, where A_F is the filtered matrix and F its diagonal. Entries keep their
 * order: if several lanes share a row, each iteration counts before it writes. Traffic: the matrix once, roots and
 * maxima gathered, 8 bytes and a real for each entry of S. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val */
    u32s   col;
    reals  val;
    reals  root;
    reals  signs;
    u32s   most;
    reals  filtered;
    u32s   to_row; /* n + 1 offsets into to_col, strength and to_val */
    u32s   to_col;
    u32s   strength;
    reals  to_val;
    number w;
    zeros  none;
    uint   n;
    uint   threshold; /* bits of a float */
};
DEFINE_NO_ADDRESS
CONSTANT(1, lanes); /* per row: 1, 2 ... 32 */

void main()
{
    bool negative = only_negative(signs);
    float least = uintBitsToFloat(threshold);
    real weight = w.value;
    FOR_ROWS(i, n, lanes) {
        uint begin = i < n ? row.at[i] : 0u, end = i < n ? row.at[i + 1u] : 0u, place = i < n ? to_row.at[i] : 0u;
        real root_i = i < n ? root.at[i] : real(0), factor = i < n ? divide(weight, filtered.at[i]) : real(0);
        uint most_i = i < n ? most.at[i] : 0u, turns = turns_together((end - begin + lanes - 1u) / lanes);
        for (uint turn = 0u; turn < turns; turn++) {
            uint k = begin + turn * lanes + ME % lanes, s = 0u, j = 0u;
            real a = real(0);
            bool is = k < end;
            if (is) {
                j = col.at[k];
                a = val.at[k];
                s = j == i ? floatBitsToUint(1.0) : strength_bits(a, root_i, root.at[j], negative);
                is = j == i || is_strong(s, most_i, most.at[j], least);
            }
            uint at = place + lanes_before(is ? 1u : 0u, lanes);
            place += lanes_total(is ? 1u : 0u, lanes);
            if (is) {
                to_col.at[at] = j;
                strength.at[at] = s;
                to_val.at[at] = j == i ? real(1) - weight : -(factor * a);
            }
        }
    }
}
