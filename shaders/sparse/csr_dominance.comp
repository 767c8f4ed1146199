#define REAL_SUMS
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "rows.glsl"

/* ratio[i] = (sum of |a_ij|, j != i) / |a_ii|, infinite or NaN if the diagonal is zero; at most 1 in a diagonally
 * dominant row. No eigenvalue of D^-1 A is further from 1 than the largest ratio (S. Gershgorin, 1931). The order of
 * the sums does not depend on `lanes`. Traffic: the matrix once, n. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val */
    u32s   col;
    values val;
    reals  ratio;
    uint   n;
};
CONSTANT(1, lanes); /* per row: 4, 8, 16 or 32 */

#include "sparse/row_sum.glsl"

void main()
{
    FOR_ROWS(i, n, lanes) {
        uint begin = i < n ? row.at[i] : 0, end = i < n ? row.at[i + 1] : 0;
        real others[KEPT_MOST], diagonal = real(0);
        for (uint j = 0; j < KEPT_MOST; j++)
            others[j] = real(0);
        FOR_ENTRIES(k, j, begin, end) {
            real a = magnitude(scalar_t(val.at[k]));
            if (col.at[k] == i)
                diagonal = a;
            else
                others[j] = others[j] + a;
        }
        real sum = row_sum(others);
        diagonal = lanes_sum(diagonal, lanes); /* zero in the other lanes */
        if (i < n && ME % lanes == 0)
            ratio.at[i] = divide(sum, diagonal);
    }
}
