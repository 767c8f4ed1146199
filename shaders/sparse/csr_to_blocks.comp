#include "kernel.glsl"
#include "sparse/bounds.glsl"

/* Writes the entries of A, in CSR, to their positions in B, whose blocks are size x size, each by rows, and which has
 * all blocks that A needs. Values of B that A lacks are kept. Traffic: the entries of A, as many values of B. */
ARGS {
    u32s  row; /* n + 1 offsets into col */
    u32s  col;
    reals val;
    u32s  b_row; /* n / size + 1 offsets into b_col */
    u32s  b_col; /* ascending in a row */
    reals b_val;
    uint  n;
    uint  entries;
};
CONSTANT(1, size);

void main()
{
    FOR_EACH(e, entries) {
        uint i = row_of(row, n, e), j = col.at[e], block_row = i / size;
        uint q = lower_bound(b_col, b_row.at[block_row], b_row.at[block_row + 1u], j / size);
        b_val.at[(q * size + i % size) * size + j % size] = val.at[e];
    }
}
