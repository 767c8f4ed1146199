#version 460
#include "kernel.glsl"
#include "block/invert.h"

/* Sets bit i of `alike` where row i has entries in the same columns as the row before it, and not more than
 * ALIKE_MOST. The caller clears them. Traffic: the columns once, the offsets; the row before has just been read
 * by the neighbour. */
ARGS {
    u32s row; /* n + 1 offsets into col */
    u32s col;
    u32s alike;
    uint n;
};

bool same(uint a, uint b, uint length)
{
    for (uint k = 0; k < length; k++)
        if (col.at[a + k] != col.at[b + k])
            return false;
    return true;
}

void main()
{
    FOR_EACH(i, n) {
        if (i == 0)
            continue;
        uint before = row.at[i - 1], here = row.at[i], end = row.at[i + 1];
        if (here - before == end - here && end - here <= ALIKE_MOST && same(before, here, end - here))
            atomicOr(alike.at[i / 32u], 1u << (i % 32u));
    }
}
