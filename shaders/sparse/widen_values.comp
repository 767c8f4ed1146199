#version 460
#include "kernel.glsl"
#include "sparse/narrow.h"

/* Floats that doubles have become (sparse/narrow.h) into these again. Traffic: 12 n bytes. */
ARGS {
    u32s from;
    u32s to; /* two words each */
    uint n;
};

ADDRESS(8) writeonly restrict buffer doubles_out { uvec2 at[]; };

void main()
{
    FOR_EACH(i, n) {
        uint word = from.at[i];
        doubles_out(to).at[i] = uvec2(WIDENED_LOW(word), WIDENED_HIGH(word));
    }
}
