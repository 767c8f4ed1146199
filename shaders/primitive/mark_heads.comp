#include "each.glsl"

/* Sets bit offset[i] of `bits` for each of the `count` offsets that is below n. The bits are initially zero. */
ARGS {
    u32s offset;
    u32s bits;
    uint count;
    uint n;
};

void main()
{
    FOR_EACH(i, count) {
        uint at = offset.at[i];
        if (at < n)
            atomicOr(bits.at[at / 32u], 1u << (at & 31u));
    }
}
