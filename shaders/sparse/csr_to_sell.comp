#version 460
#include "kernel.glsl"
#include "sparse/sell.glsl"

/* Columns and values of a SELL matrix from those of CSR; where the slices begin, and the bases where columns are to be
 * compact, are known. Traffic: CSR read, the padded matrix written. */
ARGS {
    u32s  row; /* n + 1 offsets into from_col and from_val */
    u32s  from_col;
    reals from_val;
    u32s  slice; /* slices + 1 offsets into val */
    u32s  col;
    u32s  base; /* null: columns are not compact */
    reals val;
    uint  n;
};

/* The 16 bits for entry k of the slice, which is the entry at from_col[at] of its row unless that ends before. */
uint above_base(sell_slice s, uint k, uint at, uint end)
{
    return at < end ? from_col.at[at] - base.at[4u * s.four + k] : NONE_COMPACT;
}

void main()
{
    sell A = sell(offsets_in(slice), offsets_in(col), bases_in(base), reals_in(val), groups_of(n, 32u));
    for (uint at = gl_WorkGroupID.x * 8u + SQUAD; at < A.slices; at += gl_NumWorkGroups.x * 8u) {
        sell_slice s = slice_at(A, at);
        uint i = 32u * at + LANE, begin = row.at[min(i, n)], end = row.at[min(i + 1, n)];
        end = end - begin > LONG_ROW ? begin : end;
        for (uint k = 0, to = s.first + LANE; k < s.width; k++, to += 32u) {
            bool is = begin + k < end;
            val.at[to] = is ? from_val.at[begin + k] : real(0);
            if (uvec2(base) == uvec2(0))
                col.at[to] = is ? from_col.at[begin + k] : NONE;
        }
        for (uint k = 0; uvec2(base) != uvec2(0) && k < 4u * groups_of(s.width, 4u); k += 2)
            col.at[64u * (s.four + k / 4u) + 2u * LANE + k / 2u % 2u] =
                above_base(s, k, begin + k, end) | above_base(s, k + 1, begin + k + 1, end) << 16;
    }
}
