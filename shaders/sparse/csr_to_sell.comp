#include "kernel.glsl"
#include "sparse/slices.glsl"

/* Columns and values of a SELL or ELL matrix from those of CSR, except long rows. The starts of the slices, the order
 * of the rows, and the bases of compact columns are known. Traffic: CSR and the order read, the padded matrix
 * written. */
ARGS {
    u32s  row; /* n + 1 offsets into from_col and from_val */
    u32s  from_col;
    reals from_val;
    u32s  slice; /* where each begins in val; null: ELL */
    u32s  col;
    u32s  base; /* null: columns are not compact */
    reals val;
    u32s  order; /* of the rows; null: unchanged */
    zeros none;
    uint  n;
    uint  height; /* of a slice */
    uint  width;  /* ELL: of all rows */
};
DEFINE_NO_ADDRESS

/* The 16 bits for entry k of the slice, the entry at from_col[at] of its row unless the row ends before. */
uint above_base(sell_slice s, uint k, uint at, uint end)
{
    return at < end ? from_col.at[at] - base.at[4u * s.four + k] : NONE_COMPACT;
}

void main()
{
    sell A = slices_of(slice, col, base, values(val), n, height, width, 0);
    FOR_EACH(i, A.slices * height) {
        sell_slice s = slice_of(A, i);
        uint j = part_of(A, i), at = row_of(order, n, i), begin = row.at[at];
        uint end = begin + (at < n ? stored_length(row, at) : 0);
        for (uint k = 0, to = s.first + j; k < s.width; k++, to += height) {
            bool is = begin + k < end;
            val.at[to] = is ? from_val.at[begin + k] : real(0);
            if (!is_there(uvec2(base)))
                col.at[to] = is ? from_col.at[begin + k] : NONE;
        }
        for (uint k = 0; is_there(uvec2(base)) && k < 4u * groups_of(s.width, 4u); k += 2)
            col.at[2u * (height * (s.four + k / 4u) + j) + k / 2u % 2u] =
                above_base(s, k, begin + k, end) | above_base(s, k + 1, begin + k + 1, end) << 16;
    }
}
