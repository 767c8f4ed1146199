#define WIDE_SUMS
#define REAL_SUMS
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "rows.glsl"

/* y = |A| |x| + |b| in doubles, with `fixpoint` + |x|: the scale of the rounding errors of b - A x. The order of the
 * sums does not depend on `lanes`. Traffic: the matrix once, x and b, 8 bytes a row for y. */
ARGS {
    u32s    row; /* n + 1 offsets into col and val */
    u32s    col;
    values  val;
    scalars x;
    scalars b;
    doubles y;
    uint    n;
    uint    fixpoint;
};
CONSTANT(1, lanes); /* per row: 4, 8, 16 or 32 */

#include "sparse/row_sum.glsl"

void main()
{
    FOR_ROWS(i, n, lanes) {
        uint begin = i < n ? row.at[i] : 0, end = i < n ? row.at[i + 1] : 0;
        double kept[KEPT_MOST];
        for (uint j = 0; j < KEPT_MOST; j++)
            kept[j] = 0.0lf;
        FOR_ENTRIES(k, j, begin, end)
            kept[j] = kept[j] + magnitude(mul(wide_t(val.at[k]), wide_t(x.at[col.at[k]])));
        double sum = row_sum(kept);
        if (i < n && ME % lanes == 0) {
            sum = sum + magnitude(wide_t(b.at[i]));
            y.at[i] = fixpoint != 0 ? sum + magnitude(wide_t(x.at[i])) : sum;
        }
    }
}
