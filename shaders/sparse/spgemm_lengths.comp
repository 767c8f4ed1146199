#include "kernel.glsl"

/* length[e] = entries in the row of B for entry e of A. Traffic: 8 bytes for each of n, and two offsets of B. */
ARGS {
    u32s a_col;
    u32s b_row;
    u32s length;
    uint n;
};

void main()
{
    FOR_EACH(e, n) {
        uint k = a_col.at[e];
        length.at[e] = b_row.at[k + 1u] - b_row.at[k];
    }
}
