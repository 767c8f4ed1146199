#include "each.glsl"

/* The n + 1 row offsets of a sum A + B; before[e]: entries of B before e that are not in A. Traffic: 16 n bytes. */
ARGS {
    u32s row; /* of A */
    u32s b_row;
    u32s before;
    u32s to;
    uint n;
};

void main()
{
    FOR_EACH(i, n + 1u)
        to.at[i] = row.at[i] + before.at[b_row.at[i]];
}
