#include "kernel.glsl"
#include "sparse/bounds.glsl"
#include "sparse/magnitude.glsl"

/* flag[e] = whether entry e is kept: on the diagonal, NaN, or neither zero nor smaller than `below_most` times the
 * largest magnitude of its row. If that product is NaN (0 times infinity), no magnitude is smaller. Traffic: the
 * matrix, 4 bytes an entry. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val */
    u32s   col;
    reals  val;
    reals  most; /* the largest magnitude of each row */
    number below_most;
    u32s   flag;
    uint   n;
    uint   entries;
};

void main()
{
    real factor = below_most.value;
    FOR_EACH(e, entries) {
        uint i = row_of(row, n, e);
        key m = magnitude_of(val.at[e]), limit = magnitude_of(factor * most.at[i]);
        bool small = m == LEAST_KEY || (below(m, limit) && !is_nan(limit));
        flag.at[e] = uint(!small || is_nan(m) || col.at[e] == i);
    }
}
