#version 460
#include "kernel.glsl"

/* entries[list[s]] = bound[s + 1] - bound[s]: what sorting has found of `rows` listed rows. Traffic: 12
 * bytes for each. */
ARGS {
    u32s list;
    u32s bound;
    u32s entries;
    uint rows;
};

void main()
{
    FOR_EACH(s, rows)
        entries.at[list.at[s]] = bound.at[s + 1u] - bound.at[s];
}
