#include "kernel.glsl"
#include "sparse/balanced.glsl"
#include "sparse/slices.glsl"

/* The columns and values of balanced CSR, with known slices, from CSR. Traffic: the matrix read, the padded one
 * written, 12 bytes for each row. */
ARGS {
    u32s    row;
    u32s    from_col;
    scalars from_val;
    u32s    order;
    u32s    name;  /* new name of each column; null: unchanged */
    u32s    slice; /* slices + 1 offsets */
    u32s    col;
    scalars val;
    zeros   none;
    uint    n;
    uint    lanes;
    uint    above128;
    uint    above64;
    uint    above32;
    uint    slices;
};
DEFINE_NO_ADDRESS

void main()
{
    for (uint s = gl_WorkGroupID.x * 8u + SQUAD; s < slices; s += gl_NumWorkGroups.x * 8u) {
        balanced_slice b = balanced_slice_at(s, uvec3(above128, above64, above32), n, lanes);
        uint t = b.first + LANE / b.team;
        uint i = t < b.end ? order.at[t] : 0, begin = row.at[i], end = begin + (t < b.end ? stored_length(row, i) : 0);
        uint from = begin + LANE % b.team;
        for (uint to = slice.at[s] + LANE, stop = slice.at[s + 1u]; to < stop; to += 32u) {
            bool is = from < end;
            uint k = is ? from_col.at[from] : BALANCED_NOTHING;
            col.at[to] = is && is_there(uvec2(name)) ? name.at[k] : k;
            val.at[to] = is ? from_val.at[from] : scalar_t(0);
            from += b.team;
        }
    }
}
