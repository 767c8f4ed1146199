#include "kernel.glsl"
#include "lanes.glsl"
#include "sparse/spgemm.h"

/* bound[i] = the number of products in row i of A B: an upper bound of its entries. It fits a word, because a row of A
 * uses each row of B once. entries[i] = 0 if there are none, else SPGEMM_UNKNOWN. `lanes` lanes per row. Traffic: row
 * offsets and columns of A, and two offsets of B for each entry of A. */
ARGS {
    u32s a_row;
    u32s a_col;
    u32s b_row;
    u32s bound;
    u32s entries;
    uint n;
    uint lanes;
};

void main()
{
    FOR_ROWS(i, n, lanes) {
        uint sum = 0, end = i < n ? a_row.at[i + 1u] : 0;
        for (uint e = i < n ? a_row.at[i] + ME % lanes : 0; e < end; e += lanes) {
            uint k = a_col.at[e];
            sum += b_row.at[k + 1u] - b_row.at[k];
        }
        sum = lanes_total(sum, lanes);
        if (i < n && ME % lanes == 0) {
            bound.at[i] = sum;
            entries.at[i] = sum == 0 ? 0 : SPGEMM_UNKNOWN;
        }
    }
}
