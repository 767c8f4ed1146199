#version 460
#include "kernel.glsl"
#include "dense/alive.glsl"

/* to[k] = row row_of[first + k] of A, k = 0 .. rows - 1; where `column` is there, with its element column[j] in place j.
 * Traffic: 2 rows cols. */
ARGS {
    u32s  state;
    u32s  row_of;
    u32s  column; /* null: all columns in their order */
    reals A;
    reals to;
    uint  first;
    uint  rows;
    uint  cols;
    uint  ld_A;
    uint  ld_to;
};

void main()
{
    if (!eliminates(state))
        return;
    FOR_EACH(e, rows * cols) {
        uint k = e / cols, j = e % cols, from = uvec2(column) != uvec2(0) ? column.at[j] : j;
        to.at[k * ld_to + j] = A.at[row_of.at[first + k] * ld_A + from];
    }
}
