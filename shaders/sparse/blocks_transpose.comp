#include "kernel.glsl"

/* Block q of `to` = the transpose of block place[q] of `from`, whose blocks are high x wide, by rows. Traffic: both,
 * and 4 bytes a block. */
ARGS {
    u32s  place;
    reals from;
    reals to;
    uint  elements; /* of all blocks */
};
CONSTANT(1, high);
CONSTANT(2, wide);

void main()
{
    FOR_EACH(t, elements) {
        uint q = t / (high * wide), r = t % high, c = t / high % wide;
        to.at[t] = from.at[(place.at[q] * high + r) * wide + c];
    }
}
