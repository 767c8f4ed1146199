#include "kernel.glsl"
#include "lanes.glsl"
#include "multigrid/strength.h"

/* owner[i] = i for a root; otherwise the first root among the strong neighbours of row i, or none. size[root] counts
 * the rows, and is initially 0. Traffic: the graph once, states gathered, 4n bytes. */
ARGS {
    u32s row; /* n + 1 offsets into col */
    u32s col;
    u32s state;
    u32s owner;
    u32s size;
    uint n;
};
CONSTANT(1, lanes); /* per row: 1, 2 ... 32 */

void main()
{
    FOR_ROWS(i, n, lanes) {
        bool is_root = i < n && state.at[i] == ROW_ROOT;
        uint end = i < n && !is_root ? row.at[i + 1u] : 0u, best = 0u; /* the complement of the first root */
        for (uint k = end > 0u ? row.at[i] + ME % lanes : 0u; k < end; k += lanes)
            if (state.at[col.at[k]] == ROW_ROOT)
                best = max(best, ~col.at[k]);
        best = lanes_max(best, lanes);
        if (i < n && ME % lanes == 0u) {
            uint root = is_root ? i : ~best;
            owner.at[i] = root;
            if (root != NO_AGGREGATE)
                atomicAdd(size.at[root], 1u);
        }
    }
}
