#include "kernel.glsl"
#include "algebra.glsl"
#include "sparse/csc.glsl"

/* product[place[k]] = val[k] x[column of k]: the products of CSC in the order of CSR. Traffic: 4 bytes and a value
 * for each entry, x once, and a random write for each entry. */
ARGS {
    guard   g;
    u32s    start; /* cols + 1 offsets into place and val */
    u32s    place;
    values  val;
    scalars x;
    scalars product;
    uint    cols;
    uint    entries;
};

void main()
{
    if (stopped(g))
        return;
    for (uint first = CSC_SHARE * gl_WorkGroupID.x; first < entries; first += CSC_SHARE * gl_NumWorkGroups.x) {
        uvec2 columns = share_columns(start, cols, first, entries);
        uint to[4];
        scalar_t v[4];
        [[unroll]] for (uint u = 0; u < 4u; u++) {
            uint k = min(first + 256u * u + ME, entries - 1u);
            to[u] = place.at[k];
            v[u] = mul(val.at[k], x.at[column_of(start, columns, k)]);
        }
        [[unroll]] for (uint u = 0; u < 4u; u++)
            if (first + 256u * u + ME < entries)
                product.at[to[u]] = v[u];
    }
}
