#define REAL_SUMS
#include "kernel.glsl"
#include "sum.glsl"
#include "rows.glsl"
#include "sparse/diagonal.glsl"

/* d[i] = 1 / sum |a_ij| over row i, or 1 if that is zero, and the flags of diagonal.glsl except the last. The order of
 * the sums does not depend on `lanes`. Traffic: the values of the matrix once, n. */
ARGS {
    u32s   row; /* n + 1 offsets into val */
    values val;
    reals  d;
    u32s   flags;
    uint   n;
};
CONSTANT(1, lanes); /* per row: 4, 8, 16 or 32 */

#include "sparse/row_sum.glsl"

void main()
{
    FOR_ROWS(i, n, lanes) {
        uint begin = i < n ? row.at[i] : 0, end = i < n ? row.at[i + 1] : 0;
        real kept[KEPT_MOST];
        for (uint j = 0; j < KEPT_MOST; j++)
            kept[j] = real(0);
        FOR_ENTRIES(k, j, begin, end)
            kept[j] = kept[j] + magnitude(scalar_t(val.at[k]));
        real sum = row_sum(kept);
        if (i < n && ME % lanes == 0) {
            real inverse = real_part(inverted(flags, i, scalar_of(sum), scalar_of(sum)));
            d.at[i] = sum == real(0) ? real(1) : inverse;
        }
    }
}
