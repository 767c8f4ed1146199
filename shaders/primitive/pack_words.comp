#include "each.glsl"

/* Keeps flagged elements: to[position[i]] = from[i] & mask wherever position[i + 1] differs from position[i]; position
 * has the n + 1 exclusive sums of the flags. If `indices` is 1, i itself is stored. Traffic: 8 n bytes, and 4 for each
 * that is kept. */
ARGS {
    u32s from;
    u32s position;
    u32s to;
    uint n;
    uint mask;
    uint indices;
};

void main()
{
    FOR_EACH(i, n) {
        uint at = position.at[i];
        if (position.at[i + 1u] != at)
            to.at[at] = indices != 0 ? i : from.at[i] & mask;
    }
}
