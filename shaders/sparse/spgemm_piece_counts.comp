#version 460
#include "kernel.glsl"
#include "sparse/spgemm.h"

/* pieces[i] = pieces of at most 64 entries in row i of C; none where eight lanes sum the row, and one where it is
 * empty, so that somebody looks at its products. Traffic: 12 n bytes. */
ARGS {
    u32s a_row;
    u32s c_row;
    u32s pieces;
    uint n;
};

void main()
{
    FOR_EACH(i, n) {
        uint entries = c_row.at[i + 1u] - c_row.at[i];
        bool by_octet = SPGEMM_BY_OCTET(a_row.at[i + 1u] - a_row.at[i], entries);
        pieces.at[i] = by_octet ? 0 : max(1u, groups_of(entries, SPGEMM_PIECE));
    }
}
