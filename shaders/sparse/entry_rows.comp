#version 460
#include "kernel.glsl"

/* row_of[k] = the row of entry k, found in the n + 1 offsets `row`: the last that begins at k or before. Traffic: 4
 * bytes for each entry, and log2(n) reads that neighbours share. By halving, because lanes for each row would wait for
 * the one row that is long. */
ARGS {
    u32s row;
    u32s row_of;
    uint n;
    uint entries;
};

void main()
{
    FOR_EACH(k, entries) {
        uint from = 0, to = n; /* the row lies in from .. to - 1 */
        while (to - from > 1u) {
            uint middle = from + (to - from) / 2u;
            if (row.at[middle] <= k)
                from = middle;
            else
                to = middle;
        }
        row_of.at[k] = from;
    }
}
