#include "kernel.glsl"
#include "lanes.glsl"
#include "multigrid/round.glsl"

/* near[i] = the largest key of row i and its strong neighbours: KEY_ROOT for a root, 0 for a row that is out,
 * otherwise the key of this round. Once it is KEY_ROOT or 0 it is final, and the row is skipped. Nothing is done if
 * the previous round left no row undecided. Traffic: at most the graph once, states gathered, 8n bytes. */
ARGS {
    u32s row; /* n + 1 offsets into col; each row holds its diagonal */
    u32s col;
    u32s state;
    u32s near; /* 1 before the first round */
    u32s left; /* not 0: rows are undecided */
    uint n;
    uint round;
};
CONSTANT(1, lanes); /* per row: 1, 2 ... 32 */

void main()
{
    if (left.at[0] == 0u)
        return;
    FOR_ROWS(i, n, lanes) {
        uint before = i < n ? near.at[i] : 0u, largest = 0u;
        if (before != 0u && before != KEY_ROOT) {
            uint end = row.at[i + 1u];
            for (uint k = row.at[i] + ME % lanes; k < end; k += lanes) {
                uint j = col.at[k], s = state.at[j];
                uint key = s == ROW_ROOT ? KEY_ROOT : s == ROW_OUT ? 0u : key_of(j, round);
                largest = max(largest, key);
            }
        }
        largest = lanes_max(largest, lanes);
        if (i < n && ME % lanes == 0u && before != 0u && before != KEY_ROOT)
            near.at[i] = largest;
    }
}
