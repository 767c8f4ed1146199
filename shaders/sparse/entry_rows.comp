#include "kernel.glsl"

/* row_of[k] = the row of entry k, searched in the n + 1 offsets `row`: the last that begins at or before k. Traffic: 4
 * bytes for each entry, and log2(n) reads that neighbours share. By bisection, because with lanes per row all would
 * wait for a single long row. */
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
