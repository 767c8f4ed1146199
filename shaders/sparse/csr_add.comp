#include "kernel.glsl"
#include "sparse/bounds.glsl"

/* The entries of C = alpha A + beta B where A has one: alpha a + beta b, or alpha a if B has none. Entry e of A goes
 * to e plus the number of earlier entries of B that A lacks. Traffic: A, B and C once. */
ARGS {
    u32s  row; /* of A, n + 1 offsets into col and val */
    u32s  col; /* ascending in a row */
    reals val;
    u32s  b_row;
    u32s  b_col;
    reals b_val;
    u32s  before;  /* before[e]: number of entries of B before e that are not in A */
    reals factors; /* alpha, beta */
    u32s  to_col;
    reals to_val;
    uint  n;
    uint  entries; /* of A */
};

void main()
{
    real alpha = factors.at[0], beta = factors.at[1];
    FOR_EACH(e, entries) {
        uint i = row_of(row, n, e), j = col.at[e], end = b_row.at[i + 1u];
        uint k = lower_bound(b_col, b_row.at[i], end, j), to = e + before.at[k];
        real v = alpha * val.at[e];
        if (k < end && b_col.at[k] == j)
            v = v + beta * b_val.at[k];
        to_col.at[to] = j;
        to_val.at[to] = v;
    }
}
