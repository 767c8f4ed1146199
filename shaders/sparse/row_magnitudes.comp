#include "kernel.glsl"
#include "lanes.glsl"
#include "sparse/exponents.glsl"
#include "sparse/row_magnitudes.h"

/* magnitude[i] = the logarithm of the largest magnitude in row i, as a word of exponents.h; 0: there is none. Zeros
 * and values that are not finite are ignored. extent gets facts about all rows (row_magnitudes.h), and is initially 0.
 * Traffic: the offsets and values once, a word for each row. */
ARGS {
    u32s  row; /* n + 1 offsets into val */
    reals val;
    u32s  magnitude;
    u32s  extent;
    uint  n;
};
CONSTANT(1, lanes); /* lanes per row */

shared uint here[EXTENT_WORDS];

void main()
{
    if (ME < EXTENT_WORDS)
        here[ME] = 0u;
    barrier();
    FOR_ROWS(i, n, lanes) {
        uint begin = i < n ? row.at[i] : 0, end = i < n ? row.at[i + 1] : 0, most = 0u;
        for (uint e = begin + ME % lanes; e < end; e += lanes) {
            parts p = parts_of(bits(val).at[e]);
            most = p.counts ? max(most, uint(log_of(p) + LOG_BIAS)) : most;
        }
        most = lanes_max(most, lanes);
        if (i >= n || ME % lanes != 0)
            continue;
        magnitude.at[i] = most;
        atomicMax(here[EXTENT_LONGEST], end - begin);
        atomicMax(here[EXTENT_MOST], most);
        atomicMax(here[EXTENT_NOT_LEAST], most != 0u ? ~most : 0u);
    }
    barrier();
    if (ME < EXTENT_WORDS)
        atomicMax(extent.at[ME], here[ME]);
}
