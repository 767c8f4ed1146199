#version 460
#include "kernel.glsl"
#include "sparse/slices.glsl"

/* The entries of each slice, as wide as the longest row that is not long, the units of four of them in a row, in all,
 * and the longest of these rows. Traffic: the row offsets and the order read, a word for each slice written. */
ARGS {
    u32s row;    /* n + 1 offsets */
    u32s order;  /* of the rows; null: their own */
    u32s sizes;  /* of the slices; null: not wanted */
    u32s totals; /* two words: units, which are added, and the longest, if that is more than what is there */
    uint n;      /* rows */
    uint height; /* of a slice */
};

shared uint fours_here, longest_here;

void main()
{
    if (ME == 0)
        fours_here = longest_here = 0;
    barrier();
    FOR_EACH(s, groups_of(n, height)) {
        uint longest = 0, last = min(height * s + height, n);
        for (uint i = height * s; i < last; i++)
            longest = max(longest, stored_length(row, row_of(order, n, i)));
        if (uvec2(sizes) != uvec2(0))
            sizes.at[s] = height * longest;
        atomicAdd(fours_here, groups_of(longest, 4u));
        atomicMax(longest_here, longest);
    }
    barrier();
    if (ME == 0) {
        atomicAdd(totals.at[0], fours_here);
        atomicMax(totals.at[1], longest_here);
    }
}
