#include "kernel.glsl"
#define GROUP_SCAN
#include "primitive/radix.glsl"

/* For each digit, replaces the count of each block by the number of such keys in earlier blocks, and computes the total
 * (see radix.glsl). Traffic: the counts read and written. */
ARGS {
    u32s counts;
    u32s totals;
    uint blocks;
};

#define COUNTS 4u /* neighbouring counts per invocation */

void main()
{
    for (uint d = gl_WorkGroupID.x; d < DIGITS; d += gl_NumWorkGroups.x) {
        uint before = 0;
        for (uint first = 0; first < blocks; first += 256u * COUNTS) {
            uint count[COUNTS], sum = 0, total;
            uint mine = first + COUNTS * ME, row = d * blocks;
            [[unroll]] for (uint u = 0; u < COUNTS; u++) {
                count[u] = mine + u < blocks ? counts.at[row + mine + u] : 0u;
                sum += count[u];
            }
            uint start = before + group_scan(sum, total);
            [[unroll]] for (uint u = 0; u < COUNTS; u++) {
                if (mine + u < blocks)
                    counts.at[row + mine + u] = start;
                start += count[u];
            }
            before += total;
        }
        if (ME == 0)
            totals.at[d] = before;
    }
}
