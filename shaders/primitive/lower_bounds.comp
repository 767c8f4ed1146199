#include "each.glsl"

/* bound[i] = the number of the n keys, which ascend, that are less than i << shift, for i below `count`; n if that is
 * 2^32 or more. For sorted rows these are the row offsets. Traffic: 4 bytes for each of count, and log2(n) reads that
 * neighbours share. */
ARGS {
    u32s keys;
    u32s bound;
    uint n;
    uint count;
    uint shift; /* up to 32, applied in two halves: a uint can be shifted by at most 31 */
};

INLINE uint up(uint i, uint shift)
{
    return i << (shift / 2u) << (shift - shift / 2u);
}

void main()
{
    FOR_EACH(i, count) {
        bool reached = up(i, shift) >> (shift / 2u) >> (shift - shift / 2u) == i;
        uint from = reached ? 0 : n, to = n; /* the bound lies in from .. to */
        while (from < to) {
            uint middle = from + (to - from) / 2u;
            if (keys.at[middle] < up(i, shift))
                from = middle + 1u;
            else
                to = middle;
        }
        bound.at[i] = from;
    }
}
