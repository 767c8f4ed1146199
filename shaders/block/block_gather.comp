#include "kernel.glsl"
#include "sparse/bounds.glsl"

/* Gathers the blocks on the diagonal of A, column by column, with zeros where A has no entry. An invocation takes a
 * row. Traffic: the entries of the blocks in A and the blocks; other entries of A are only visited by bisection. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val */
    u32s   col; /* ascending in a row */
    values val;
    u32s   of;    /* the block of each row */
    u32s   first; /* the first row of each block, and n */
    u32s   at;    /* where each block begins in `to` */
    reals  to;
    uint   n;
};

void main()
{
    FOR_EACH(i, n) {
        uint b = of.at[i], begin = first.at[b], rows = first.at[b + 1] - begin;
        uint k = lower_bound(col, row.at[i], row.at[i + 1], begin), end = row.at[i + 1];
        for (uint j = 0; j < rows; j++) {
            bool is = k < end && col.at[k] == begin + j;
            to.at[at.at[b] + j * rows + (i - begin)] = is ? real(val.at[k]) : real(0);
            k += uint(is);
        }
    }
}
