#include "each.glsl"

/* Copies the columns of the `n` distinct keys that sorting has kept to C: key u of row s of the list, whose keys begin
 * at bound[s], is entry u - bound[s] of row list[s]. Traffic: 8 n bytes. */
ARGS {
    u32s list;
    u32s key;
    u32s bound;
    u32s c_row;
    u32s c_col;
    uint n;
    uint shift; /* up to 32 */
    uint mask;
};

void main()
{
    FOR_EACH(u, n) {
        uint s = key.at[u] >> (shift / 2u) >> (shift - shift / 2u);
        c_col.at[c_row.at[list.at[s]] + (u - bound.at[s])] = key.at[u] & mask;
    }
}
