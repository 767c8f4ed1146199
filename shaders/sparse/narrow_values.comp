#version 460
#include "kernel.glsl"
#include "sparse/narrow.h"

/* Doubles into floats, where they survive that (sparse/narrow.h). *lost, the largest number before, becomes the first
 * that does not; what is written in its place means nothing. Traffic: 12 n bytes. */
ARGS {
    u32s from; /* two words each */
    u32s to;
    u32s lost;
    uint n;
};

ADDRESS(8) readonly restrict buffer doubles_in { uvec2 at[]; };

void main()
{
    uint first = 0xFFFFFFFFu;
    FOR_EACH(i, n) {
        uvec2 v = doubles_in(from).at[i];
        if (!SURVIVES(v.y, v.x))
            first = min(first, i);
        to.at[i] = NARROWED(v.y, v.x);
    }
    if (first < lost.at[0])
        atomicMin(lost.at[0], first);
}
