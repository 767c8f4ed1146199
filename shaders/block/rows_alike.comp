#include "kernel.glsl"
#include "block/invert.h"

/* Sets bit i of `alike` if row i has entries in the same columns as the previous row, and at most ALIKE_MOST entries.
 * The caller clears the bits. Traffic: the columns once, the offsets; a neighbour has just read the previous row. */
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
