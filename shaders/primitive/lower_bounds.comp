#version 460
#include "kernel.glsl"

/* bound[i] = how many of the n keys, which ascend, are less than i << shift, for i below `count`; n where that is 2^32
 * or more. Of sorted rows these are the row offsets. Traffic: 4 bytes for each of count, and log2(n) reads that
 * neighbours share. */
ARGS {
    u32s keys;
    u32s bound;
    uint n;
    uint count;
    uint shift;
};

void main()
{
    FOR_EACH(i, count) {
        uint from = 0, to = (i << shift) >> shift == i ? n : 0; /* the bound lies in from .. to */
        while (from < to) {
            uint middle = from + (to - from) / 2u;
            if (keys.at[middle] < i << shift)
                from = middle + 1u;
            else
                to = middle;
        }
        bound.at[i] = (i << shift) >> shift == i ? from : n;
    }
}
