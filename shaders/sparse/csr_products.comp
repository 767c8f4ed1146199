#include "kernel.glsl"
#include "algebra.glsl"

/* product[k] = val[k] x[col[k]]. Traffic: the entries and x once, the products written. */
ARGS {
    guard   g;
    u32s    col;
    values  val;
    scalars x;
    scalars product;
    uint    entries;
};

void main()
{
    if (stopped(g))
        return;
    for (uint first = 1024u * gl_WorkGroupID.x; first < entries; first += 1024u * gl_NumWorkGroups.x) {
        scalar_t v[4];
        [[unroll]] for (uint u = 0; u < 4u; u++) {
            uint k = min(first + 256u * u + ME, entries - 1u);
            v[u] = mul(val.at[k], x.at[col.at[k]]);
        }
        [[unroll]] for (uint u = 0; u < 4u; u++)
            if (first + 256u * u + ME < entries)
                product.at[first + 256u * u + ME] = v[u];
    }
}
