#version 460
#include "kernel.glsl"

/* Sets bit i of `alike` where row i has entries in the same columns as the row before it. The caller
 * clears them. Traffic: the columns once, the offsets; the row before has just been read by the neighbour. */
ARGS {
    u32s row; /* n + 1 offsets into col */
    u32s col;
    u32s alike;
    uint n;
};

#define TURNS 32768u /* software devices end longer loops (docs/gpu.md) */

bool same(uint a, uint b, uint length)
{
    for (uint from = 0; from < length; from += TURNS)
        for (uint k = from; k < min(length, from + TURNS); k++)
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
        if (here - before == end - here && same(before, here, end - here))
            atomicOr(alike.at[i / 32u], 1u << (i % 32u));
    }
}
