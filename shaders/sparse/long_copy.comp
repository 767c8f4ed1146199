#include "kernel.glsl"
#include "sparse/long.glsl"

/* Copies the entries of long rows from CSR to separate arrays, or back. A lane group takes a piece. Traffic: these
 * entries twice, 20 bytes for each piece. */
ARGS {
    u32s    list;
    u32s    start; /* of each piece in the separate arrays */
    u32s    col;   /* CSR */
    scalars val;
    u32s    own_col;
    scalars own_val;
    uint    pieces;
    uint    back; /* whether into CSR */
};

void main()
{
    for (uint p = gl_WorkGroupID.x * 8u + SQUAD; p < pieces; p += gl_NumWorkGroups.x * 8u) {
        long_piece q = piece_at(list, p, pieces);
        for (uint k = LANE; k < q.end - q.begin; k += 32u) {
            uint here = q.begin + k, there = start.at[p] + k;
            if (back != 0) {
                col.at[here] = own_col.at[there];
                val.at[here] = own_val.at[there];
            } else {
                own_col.at[there] = col.at[here];
                own_val.at[there] = val.at[here];
            }
        }
    }
}
