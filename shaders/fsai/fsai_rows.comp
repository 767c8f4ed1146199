#include "kernel.glsl"
#include "rows.glsl"

/* Writes the rows of a factor: their columns, ascending, followed by the diagonal. Traffic: the columns twice. */
ARGS {
    u32s row;   /* n + 1 offsets into col */
    u32s col;
    u32s s_col; /* stride for each row, in any order */
    uint n;
    uint stride; /* at most 32 */
};

void main()
{
    FOR_ROWS(i, n, 32u) {
        if (i >= n)
            continue;
        uint first = row.at[i], last = row.at[i + 1u] - 1u;
        if (LANE == 0)
            col.at[last] = i;
        if (LANE >= last - first)
            continue;
        uint mine = s_col.at[i * stride + LANE], less = 0;
        for (uint q = 0; q < last - first; q++)
            less += uint(s_col.at[i * stride + q] < mine);
        col.at[first + less] = mine;
    }
}
