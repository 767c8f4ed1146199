#include "kernel.glsl"
#include "sparse/bounds.glsl"

/* The other entries of C = alpha A + beta B, the entries of B that A lacks: beta b. Each follows the earlier ones and
 * the earlier entries of A. Traffic: B, the written entries of C, the columns of A. */
ARGS {
    u32s  row; /* of A, n + 1 offsets into col */
    u32s  col; /* ascending in a row */
    u32s  b_row;
    u32s  b_col;
    reals b_val;
    u32s  before;  /* before[e]: number of entries of B before e that are not in A */
    reals factors; /* alpha, beta */
    u32s  to_col;
    reals to_val;
    uint  n;
    uint  entries; /* of B */
};

void main()
{
    real beta = factors.at[1];
    FOR_EACH(e, entries) {
        uint at = before.at[e], j = b_col.at[e];
        if (before.at[e + 1u] == at)
            continue;
        uint i = row_of(b_row, n, e), to = at + lower_bound(col, row.at[i], row.at[i + 1u], j);
        to_col.at[to] = j;
        to_val.at[to] = beta * b_val.at[e];
    }
}
