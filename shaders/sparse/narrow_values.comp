#include "kernel.glsl"
#include "sparse/narrow.h"

/* Converts doubles to floats if they survive that (sparse/narrow.h). *lost, initially the largest number, becomes the
 * first that does not; the float written for it is meaningless. Traffic: 12 n bytes. */
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
