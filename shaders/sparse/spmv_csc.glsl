/* y += A x, A in CSC: each column scatters its entries times its element of x. */
#include "algebra.glsl"
#include "sparse/csc.glsl"
#include "sparse/scatter.glsl"

ARGS {
    guard   g;
    u32s    start; /* cols + 1 offsets into row and val */
    u32s    row;
    values  val;
    scalars x;
    scalars y; /* initially zero */
    uint    cols;
    uint    entries;
};

void main()
{
    if (stopped(g))
        return;
    for (uint first = CSC_SHARE * gl_WorkGroupID.x; first < entries; first += CSC_SHARE * gl_NumWorkGroups.x) {
        uvec2 columns = share_columns(start, cols, first, entries);
        uint i[4];
        scalar_t v[4];
        [[unroll]] for (uint u = 0; u < 4u; u++) {
            uint k = min(first + 256u * u + ME, entries - 1u);
            i[u] = row.at[k];
            v[u] = mul(val.at[k], x.at[column_of(start, columns, k)]);
        }
        [[unroll]] for (uint u = 0; u < 4u; u++)
            if (first + 256u * u + ME < entries)
                add_to(y, i[u], v[u], entries);
    }
}
