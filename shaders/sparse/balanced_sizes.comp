#version 460
#include "kernel.glsl"
#include "sparse/balanced.glsl"
#include "sparse/slices.glsl"

/* The entries that each slice stores, padding included. Traffic: the offsets of a row for each slice read, a word written. */
ARGS {
    u32s row;   /* n + 1 offsets */
    u32s order; /* the rows, the longest first */
    u32s size;  /* of each slice */
    uint n;
    uint lanes;
    uint slices;
};

void main()
{
    FOR_EACH(s, slices)
        size.at[s] = 32u * groups_of(stored_length(row, order.at[position(s, 0, lanes)]), lanes);
}
