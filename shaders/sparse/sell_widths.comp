#version 460
#include "kernel.glsl"
#include "sparse/long.h"

/* The entries of each slice of 32 rows, as wide as the longest that is not long, and the units of four of them in a row, in
 * all. Traffic: the row offsets read, a word for each slice written. */
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
        for (uint i = 32u * s; i < last; i++) {
            uint length = row.at[i + 1] - row.at[i];
            width = length > LONG_ROW ? width : max(width, length);
        }
        sizes.at[s] = 32u * width;
        atomicAdd(fours_here, groups_of(width, 4u));
    }
    barrier();
    if (ME == 0)
        atomicAdd(fours.at[0], fours_here);
}
