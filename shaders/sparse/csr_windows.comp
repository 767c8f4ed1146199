#include "kernel.glsl"
#include "sparse/long.h"
#include "sparse/csr_cached.h"

/* The window of each 256 rows, ignoring long ones: its first column, and the number of columns up to the last; 0 if
 * they have no entries or the window is too large. Traffic: the offsets, 8 random bytes for each row, 8 bytes for each
 * 256 rows written. */
ARGS {
    u32s row; /* n + 1 offsets into col, which ascend in each row */
    u32s col;
    u32s window;
    uint n;
};

shared uint least, last;

void main()
{
    uint tiles = groups_of(n, CACHED_ROWS);
    for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
        uint i = CACHED_ROWS * tile + ME, begin = row.at[min(i, n)], end = row.at[min(i + 1u, n)];
        if (ME == 0) {
            least = 0xFFFFFFFFu;
            last = 0;
        }
        barrier();
        if (begin < end && end - begin <= LONG_ROW) {
            atomicMin(least, col.at[begin]);
            atomicMax(last, col.at[end - 1u]);
        }
        barrier();
        if (ME == 0) {
            bool fits = least <= last && last - least < CACHED_MOST;
            window.at[2u * tile] = fits ? least : 0;
            window.at[2u * tile + 1u] = fits ? last - least + 1u : 0;
        }
        barrier();
    }
}
