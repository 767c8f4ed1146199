#include "kernel.glsl"
#include "sparse/slices.glsl"

/* Columns and values of CSR, except long rows, with known row offsets, from those of a SELL or ELL matrix. Traffic:
 * the padded matrix and the order read, CSR written. */
ARGS {
    u32s  slice; /* where each begins in val; null: ELL */
    u32s  col;
    u32s  base; /* null: columns are not compact */
    reals val;
    u32s  order; /* of the rows; null: unchanged */
    u32s  row;   /* n + 1 offsets into to_col and to_val */
    u32s  to_col;
    reals to_val;
    zeros none;
    uint  n;
    uint  height; /* of a slice */
    uint  width;  /* ELL: of all rows */
};
DEFINE_NO_ADDRESS

uint column(sell_slice s, uint j, uint k)
{
    if (!is_there(uvec2(base)))
        return col.at[s.first + height * k + j];
    uint word = col.at[2u * (height * (s.four + k / 4u) + j) + k / 2u % 2u];
    return base.at[4u * s.four + k] + (word >> 16u * (k % 2u) & 0xFFFFu);
}

void main()
{
    sell A = slices_of(slice, col, base, values(val), n, height, width, 0);
    FOR_EACH(i, n) {
        sell_slice s = slice_of(A, i);
        uint j = part_of(A, i), at = row_of(order, n, i), begin = row.at[at], length = stored_length(row, at);
        for (uint k = 0; k < length; k++) {
            to_col.at[begin + k] = column(s, j, k);
            to_val.at[begin + k] = val.at[s.first + height * k + j];
        }
    }
}
