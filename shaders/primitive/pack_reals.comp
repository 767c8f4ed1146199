#include "each.glsl"

/* Keeps flagged elements: to[position[i]] = from[i] wherever position[i + 1] differs from position[i]; position has the
 * n + 1 exclusive sums of the flags. Traffic: a word and a value for each of n, and a value for each that is kept. */
ARGS {
    reals from;
    u32s  position;
    reals to;
    uint  n;
};

void main()
{
    FOR_EACH(i, n) {
        uint at = position.at[i];
        if (position.at[i + 1u] != at)
            to.at[at] = from.at[i];
    }
}
