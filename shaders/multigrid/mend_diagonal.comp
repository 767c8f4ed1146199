#version 460
#include "kernel.glsl"

/* Sets a diagonal element that is zero to one: its unknown stands for nothing, and all of its row and column is zero.
 * Of a matrix of blocks of size x size. Traffic: 8 bytes a block, the diagonal. */
ARGS {
    u32s  col;
    u32s  rows; /* the row of each block */
    reals val;
    uint  entries;
};
CONSTANT(1, size);

void main()
{
    FOR_EACH(e, entries) {
        if (col.at[e] != rows.at[e])
            continue;
        for (uint k = 0u; k < size; k++) {
            uint at = size * size * e + (size + 1u) * k;
            if (val.at[at] == real(0))
                val.at[at] = real(1);
        }
    }
}
