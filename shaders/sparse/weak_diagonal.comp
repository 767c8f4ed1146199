#include "kernel.glsl"
#include "sparse/bounds.glsl"
#include "sparse/exponents.glsl"

/* Counts the diagonal entries of diag(2^left) A diag(2^right) that are missing, zero, not finite or below 1e-6.
 * Traffic: the row offsets, a search in the columns of each row, the diagonal, the scales. */
ARGS {
    u32s  row; /* n + 1 offsets into col and val */
    u32s  col;
    reals val;
    u32s  left; /* integers, in the units of logarithms */
    u32s  right;
    u32s  weak; /* one word, to which the count is added */
    uint  n;
};

shared uint weak_here;

void main()
{
    if (ME == 0)
        weak_here = 0;
    barrier();
    FOR_EACH(i, n) {
        uint end = row.at[i + 1], e = lower_bound(col, row.at[i], end, i);
        bool strong = false;
        if (e < end && col.at[e] == i) {
            parts p = parts_of(bits(val).at[e]);
            strong = p.counts && log_of(p) + int(left.at[i]) + int(right.at[i]) >= LOG_WEAK;
        }
        if (!strong)
            atomicAdd(weak_here, 1u);
    }
    barrier();
    if (ME == 0 && weak_here != 0)
        atomicAdd(weak.at[0], weak_here);
}
