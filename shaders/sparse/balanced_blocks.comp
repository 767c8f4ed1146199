#version 460
#include "kernel.glsl"
#include "sparse/balanced.h"

/* The first row of each block: of those with at least so many entries and rows before it as that many blocks have.
 * Traffic: a word for each block written, and log2(n) reads that neighbours share. */
ARGS {
    u32s row;   /* n + 1 offsets */
    u32s first; /* blocks + 1 */
    uint n;
    uint blocks;
};

void main()
{
    FOR_EACH(b, blocks + 1u) {
        uint before = b < blocks ? BALANCED_SHARE * b : 0, from = b < blocks ? 0 : n, to = n;
        while (from < to) {
            uint middle = from + (to - from) / 2u;
            if (row.at[middle] + middle < before)
                from = middle + 1u;
            else
                to = middle;
        }
        first.at[b] = from;
    }
}
