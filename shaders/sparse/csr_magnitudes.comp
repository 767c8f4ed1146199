#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "rows.glsl"

/* y = |A| |x| + |b|: what the rounding errors of b - A x are measured by. The order of the sums does not depend on
 * `lanes`. Traffic: the matrix once, 3n. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val */
    u32s   col;
    values val;
    reals  x;
    reals  b;
    reals  y;
    uint   n;
};
CONSTANT(1, lanes); /* of a row: 4, 8, 16 or 32 */

#include "sparse/row_sum.glsl"

void main()
{
    FOR_ROWS(i, n, lanes) {
        uint begin = i < n ? row.at[i] : 0, end = i < n ? row.at[i + 1] : 0;
        real kept[KEPT_MOST];
        for (uint j = 0; j < KEPT_MOST; j++)
            kept[j] = real(0);
        FOR_ENTRIES(k, j, begin, end)
            kept[j] = kept[j] + abs(real(val.at[k]) * x.at[col.at[k]]);
        real sum = row_sum(kept);
        if (i < n && ME % lanes == 0)
            y.at[i] = sum + abs(b.at[i]);
    }
}
