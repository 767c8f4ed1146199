#define REAL_SUMS
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "rows.glsl"

/* quotient[i] = (|D^-1 A| v)_i / v_i, where v_i is the Gershgorin radius of row i, 1 + ratio[i], but at least a
 * thousandth of the largest radius. For any v above zero the largest quotient bounds the eigenvalues of D^-1 A (L.
 * Collatz, 1942; H. Wielandt, 1950). Infinite or NaN if the diagonal is zero. The order of the sums does not depend on
 * `lanes`. Traffic: the matrix once, the ratios gathered, n. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val */
    u32s   col;
    values val;
    reals  ratio;
    u32s   worst; /* one word: the row of the largest ratio */
    reals  quotient;
    uint   n;
};
CONSTANT(1, lanes); /* per row: 4, 8, 16 or 32 */

#include "sparse/row_sum.glsl"

void main()
{
    real least = n > 0u ? real(0.0009765625) * (real(1) + ratio.at[worst.at[0]]) : real(0);
    FOR_ROWS(i, n, lanes) {
        uint begin = i < n ? row.at[i] : 0, end = i < n ? row.at[i + 1] : 0;
        real all[KEPT_MOST], own = real(0);
        for (uint j = 0; j < KEPT_MOST; j++)
            all[j] = real(0);
        FOR_ENTRIES(k, j, begin, end) {
            real a = magnitude(scalar_t(val.at[k])), radius = real(1) + ratio.at[col.at[k]];
            real term = a * (radius > least ? radius : least);
            all[j] = all[j] + term;
            if (col.at[k] == i)
                own = term;
        }
        real sum = row_sum(all);
        own = lanes_sum(own, lanes); /* zero in the other lanes */
        if (i < n && ME % lanes == 0)
            quotient.at[i] = divide(sum, own);
    }
}
