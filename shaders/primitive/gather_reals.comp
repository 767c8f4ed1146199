#include "each.glsl"

/* to[i] = from[place[i]]. Traffic: a word and a value for each of n, and as many random reads. */
ARGS {
    guard g;
    reals from;
    u32s  place;
    reals to;
    uint  n;
};

void main()
{
    bool ended = stopped(g); /* loaded together with the first values */
    FOR_EACH(i, n) {
        real value = from.at[place.at[i]];
        if (!ended)
            to.at[i] = value;
    }
}
