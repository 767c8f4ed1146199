#version 460
#include "kernel.glsl"
#include "sparse/balanced.glsl"
#include "sparse/slices.glsl"

/* The columns and values of balanced CSR, whose slices are known, from CSR. Traffic: the matrix read, the padded one
 * written, 12 bytes for each row. */
ARGS {
    u32s  row;
    u32s  from_col;
    reals from_val;
    u32s  order;
    u32s  slice; /* slices + 1 offsets */
    u32s  col;
    reals val;
    uint  n;
    uint  lanes;
    uint  slices;
};

void main()
{
    for (uint s = gl_WorkGroupID.x * 8u + SQUAD; s < slices; s += gl_NumWorkGroups.x * 8u) {
        uint t = position(s, LANE, lanes), i = order.at[min(t, n - 1u)], begin = row.at[i];
        uint end = begin + (t < n ? stored_length(row, i) : 0), from = begin + LANE % lanes;
        for (uint to = slice.at[s] + LANE, stop = slice.at[s + 1u]; to < stop; to += 32u) {
            bool is = from < end;
            col.at[to] = is ? from_col.at[from] : NOTHING;
            val.at[to] = is ? from_val.at[from] : real(0);
            from += lanes;
        }
    }
}
