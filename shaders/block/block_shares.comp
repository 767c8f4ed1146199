#include "each.glsl"
#include "exact.glsl"

/* Share of a row's diagonal entry that the other rows of its block explain: 1 - 1 / (a_ii b_ii), where b is the inverse
 * of the block. It is 0 for a block of one row, and close to 1 if the rows depend on each other. (For a matrix of
 * correlations it is the coefficient of multiple determination.) Traffic: the matrix once, n elements of blocks, 8n. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val */
    u32s   col;
    values val;
    u32s   of;     /* the block of each row */
    u32s   first;  /* the first row of each block, and n */
    u32s   at;     /* where each block begins in `blocks` */
    reals  blocks; /* the inverses, column after column */
    reals  share;
    uint   n;
};

void main()
{
    FOR_EACH(i, n) {
        uint b = of.at[i], begin = first.at[b], rows = first.at[b + 1] - begin, end = row.at[i + 1];
        real a = real(0);
        for (uint k = row.at[i]; k < end; k++)
            a = col.at[k] == i ? real(val.at[k]) : a;
        real product = a * blocks.at[at.at[b] + (i - begin) * (rows + 1)];
        share.at[i] = rows == 1 ? real(0) : real(1) - divide(real(1), product);
    }
}
