#include "each.glsl"
#include "sparse/spgemm.h"

/* The pieces of row i, numbers number[i] .. number[i + 1] - 1: their row and first entry. Traffic: 8 n bytes, and 8
 * for each piece. */
ARGS {
    u32s row;
    u32s number_of;
    u32s piece_row;
    u32s piece_begin;
    uint n;
};

void main()
{
    FOR_EACH(i, n) {
        uint first = number_of.at[i], pieces = number_of.at[i + 1u] - first;
        for (uint q = 0; q < pieces; q++) {
            piece_row.at[first + q] = i;
            piece_begin.at[first + q] = row.at[i] + SPGEMM_PIECE * q;
        }
    }
}
