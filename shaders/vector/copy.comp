#include "kernel.glsl"

/* y = x. An invocation loads four elements together. This kernel measures bandwidth. */
ARGS {
    guard   g;
    scalars x;
    scalars y;
    uint    n;
};

void main()
{
    if (stopped(g))
        return;
    for (uint first = gl_WorkGroupID.x * 1024u; first < n; first += gl_NumWorkGroups.x * 1024u) {
        scalar_t v[4];
        for (uint u = 0; u < 4; u++) {
            uint i = first + 256u * u + ME;
            v[u] = i < n ? x.at[i] : scalar_t(0);
        }
        for (uint u = 0; u < 4; u++) {
            uint i = first + 256u * u + ME;
            if (i < n)
                y.at[i] = v[u];
        }
    }
}
