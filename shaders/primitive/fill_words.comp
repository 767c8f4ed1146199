#include "kernel.glsl"

/* n elements of `words` (1 or 2) words each become low, high. Words, not floats: no bit may change on the way. */
ADDRESS(8) buffer pairs { uvec2 at[]; };
ARGS {
    u32s y;
    uint low;
    uint high;
    uint n;
    uint words;
};

void main()
{
    if (words == 2) {
        pairs wide = pairs(uvec2(y));
        FOR_EACH(i, n)
            wide.at[i] = uvec2(low, high);
    } else {
        FOR_EACH(i, n)
            y.at[i] = low;
    }
}
