#include "kernel.glsl"
#include "sparse/bsr.glsl"

/* Columns and values of CSR, except long rows, with known row offsets, from those of a BSR matrix. Traffic: the
 * values, the blocks and the row offsets read, CSR written. */
ARGS {
    u32s  row; /* n + 1 offsets into to_col and to_val */
    u32s  slice;
    u32s  block;
    u32s  first;
    u32s  mask; /* null: all blocks are full */
    reals val;
    u32s  to_col;
    reals to_val;
    zeros none;
    uint  n;
    uint  size; /* of a block */
};
DEFINE_NO_ADDRESS

void main()
{
    bsr A = bsr(offsets_in(row), offsets_in(slice), offsets_in(block), offsets_in(first), offsets_in(mask),
                values_in(val), n, size, !is_there(uvec2(mask)));
    FOR_EACH(i, n) {
        bsr_row p = row_at(A, i);
        bsr_walk w = bsr_walk(0u, 0u, 0u);
        uint to = row.at[i];
        for (uint k = 0; k < p.entries; k++) {
            to_col.at[to + k] = A.full ? A.first.at[p.block + 32u * (k / size)] + k % size : next_column(A, p, w);
            to_val.at[to + k] = A.val.at[p.val + 32u * k];
        }
    }
}
