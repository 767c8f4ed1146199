#include "kernel.glsl"

/* y = x. An invocation loads four elements together. This kernel measures bandwidth. */
ARGS {
    guard g;
    reals x;
    reals y;
    uint  n;
};

void main()
{
    if (stopped(g))
        return;
    for (uint first = gl_WorkGroupID.x * 1024u; first < n; first += gl_NumWorkGroups.x * 1024u) {
        real v[4];
        for (uint u = 0; u < 4; u++) {
            uint i = first + 256u * u + ME;
            v[u] = i < n ? x.at[i] : real(0);
        }
        for (uint u = 0; u < 4; u++) {
            uint i = first + 256u * u + ME;
            if (i < n)
                y.at[i] = v[u];
        }
    }
}
