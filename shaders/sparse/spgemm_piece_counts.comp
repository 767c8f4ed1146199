#version 460
#include "kernel.glsl"
#include "sparse/spgemm.h"

/* pieces[i] = pieces of at most 64 entries in row i; an empty row is one, too, so that somebody looks at its products.
 * Traffic: 8 n bytes. */
ARGS {
    u32s row;
    u32s pieces;
    uint n;
};

void main()
{
    FOR_EACH(i, n)
        pieces.at[i] = max(1u, groups_of(row.at[i + 1u] - row.at[i], SPGEMM_PIECE));
}
