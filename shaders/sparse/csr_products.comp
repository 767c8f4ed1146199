#version 460
#include "kernel.glsl"
#include "solver/control.glsl"

/* product[k] = val[k] x[col[k]]; within a solve (c is not null) only while it is alive. Traffic: the entries and x once,
 * the products written. */
ARGS {
    control c;
    u32s    col;
    values  val;
    reals   x;
    reals   product;
    uint    entries;
};

void main()
{
    if (uvec2(c) != uvec2(0) && !alive(c))
        return;
    for (uint first = 1024u * gl_WorkGroupID.x; first < entries; first += 1024u * gl_NumWorkGroups.x) {
        real v[4];
        [[unroll]] for (uint u = 0; u < 4u; u++) {
            uint k = min(first + 256u * u + ME, entries - 1u);
            v[u] = val.at[k] * x.at[col.at[k]];
        }
        [[unroll]] for (uint u = 0; u < 4u; u++)
            if (first + 256u * u + ME < entries)
                product.at[first + 256u * u + ME] = v[u];
    }
}
