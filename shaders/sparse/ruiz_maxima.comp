#include "kernel.glsl"
#include "sparse/bounds.glsl"
#include "sparse/exponents.glsl"

/* The largest logarithms of the entries of each row and each column of diag(2^left) A diag(2^right), as words
 * (exponents.h) that are initially 0. Zeros and values that are not finite are ignored. Traffic: values and columns,
 * the scales and the maxima. */
ARGS {
    u32s  row; /* n + 1 offsets into col and val */
    u32s  col;
    reals val;
    u32s  left; /* integers, in the units of logarithms */
    u32s  right;
    u32s  row_most;
    u32s  col_most;
    uint  n;
    uint  entries;
};

void main()
{
    FOR_EACH(e, entries) {
        parts p = parts_of(bits(val).at[e]);
        if (!p.counts)
            continue;
        uint i = row_of(row, n, e), j = col.at[e];
        uint most = uint(log_of(p) + int(left.at[i]) + int(right.at[j]) + LOG_BIAS);
        if (most > row_most.at[i])
            atomicMax(row_most.at[i], most);
        if (most > col_most.at[j])
            atomicMax(col_most.at[j], most);
    }
}
