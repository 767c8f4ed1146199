#include "each.glsl"

/* entries[list[s]] = bound[(s + 1) * parts] - bound[s * parts]: the entries of `rows` listed rows, each in `parts`
 * parts. Traffic: 12 bytes for each. */
ARGS {
    u32s list;
    u32s bound;
    u32s entries;
    uint rows;
    uint parts;
};

void main()
{
    FOR_EACH(s, rows)
        entries.at[list.at[s]] = bound.at[(s + 1u) * parts] - bound.at[s * parts];
}
