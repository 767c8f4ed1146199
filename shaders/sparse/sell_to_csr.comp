#version 460
#include "kernel.glsl"
#include "sparse/sell.glsl"

/* Columns and values of CSR but for long rows, whose row offsets are known, from those of a SELL matrix. Traffic: the padded matrix
 * read, CSR written. */
ARGS {
    u32s  slice; /* slices + 1 offsets into val */
    u32s  col;
    u32s  base; /* null: columns are not compact */
    reals val;
    u32s  row; /* n + 1 offsets into to_col and to_val */
    u32s  to_col;
    reals to_val;
    uint  n;
};

uint column(sell_slice s, uint k)
{
    if (uvec2(base) == uvec2(0))
        return col.at[s.first + 32u * k + LANE];
    uint word = col.at[64u * (s.four + k / 4u) + 2u * LANE + k / 2u % 2u];
    return base.at[4u * s.four + k] + (word >> 16u * (k % 2u) & 0xFFFFu);
}

void main()
{
    sell A = sell(offsets_in(slice), offsets_in(col), bases_in(base), reals_in(val), groups_of(n, 32u));
    for (uint at = gl_WorkGroupID.x * 8u + SQUAD; at < A.slices; at += gl_NumWorkGroups.x * 8u) {
        sell_slice s = slice_at(A, at);
        uint i = 32u * at + LANE, begin = row.at[min(i, n)], length = row.at[min(i + 1, n)] - begin;
        for (uint k = 0; length <= LONG_ROW && k < length; k++) {
            to_col.at[begin + k] = column(s, k);
            to_val.at[begin + k] = val.at[s.first + 32u * k + LANE];
        }
    }
}
