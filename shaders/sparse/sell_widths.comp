#version 460
#include "kernel.glsl"

/* The entries of each slice of 32 rows, as wide as its longest, and the units of four of them in a row, in all. What
 * 32 bits do not hold becomes more than a matrix may have. Traffic: the row offsets read, a word for each slice
 * written. */
ARGS {
    u32s row;   /* n + 1 offsets */
    u32s sizes; /* of the slices */
    u32s fours; /* one word, to which they are added */
    uint n;     /* rows */
};

shared uint fours_here;

void main()
{
    if (ME == 0)
        fours_here = 0;
    barrier();
    FOR_EACH(s, groups_of(n, 32u)) {
        uint width = 0, last = min(32u * s + 32u, n);
        for (uint i = 32u * s; i < last; i++)
            width = max(width, row.at[i + 1] - row.at[i]);
        sizes.at[s] = 32u * min(width, 0x7FFFFFFu);
        atomicAdd(fours_here, groups_of(width, 4u));
    }
    barrier();
    if (ME == 0)
        atomicAdd(fours.at[0], fours_here);
}
