/* y += A x, A in COO, entry by entry: the plain form of N. Bell, M. Garland, "Efficient sparse matrix-vector
 * multiplication on CUDA", NVIDIA NVR-2008-004. */
#include "algebra.glsl"
#include "sparse/scatter.glsl"

ARGS {
    guard   g;
    u32s    row;
    u32s    col;
    values  val;
    scalars x;
    scalars y; /* cleared */
    uint    entries;
};

/* Four entries are loaded before the first is added. */
void main()
{
    if (stopped(g))
        return;
    for (uint first = 1024u * gl_WorkGroupID.x; first < entries; first += 1024u * gl_NumWorkGroups.x) {
        uint i[4];
        scalar_t v[4];
        [[unroll]] for (uint u = 0; u < 4u; u++) {
            uint k = min(first + 256u * u + ME, entries - 1u);
            i[u] = row.at[k];
            v[u] = mul(val.at[k], x.at[col.at[k]]);
        }
        [[unroll]] for (uint u = 0; u < 4u; u++)
            if (first + 256u * u + ME < entries)
                add_to(y, i[u], v[u], entries);
    }
}
