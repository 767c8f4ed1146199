#include "kernel.glsl"
#include "sparse/bounds.glsl"

/* flag[e] = whether A lacks entry e of B, both in CSR of n rows. Traffic: the columns of A and B, 4 bytes an entry of
 * B. */
ARGS {
    u32s row; /* of A, n + 1 offsets into col */
    u32s col; /* ascending in a row */
    u32s b_row;
    u32s b_col;
    u32s flag;
    uint n;
    uint entries; /* of B */
};

void main()
{
    FOR_EACH(e, entries) {
        uint i = row_of(b_row, n, e), j = b_col.at[e], end = row.at[i + 1u];
        uint k = lower_bound(col, row.at[i], end, j);
        bool there = k < end && col.at[k] == j;
        flag.at[e] = there ? 0u : 1u;
    }
}
