#include "kernel.glsl"
#include "lanes.glsl"
#include "multigrid/round.glsl"

/* Decides rows by the largest key within two steps: a row that has this key itself becomes a root; a row that finds a
 * root is out. A row without strong neighbours is out. Traffic: at most the graph once, `near` gathered, 4n bytes. */
ARGS {
    u32s row; /* n + 1 offsets into col; each row holds its diagonal */
    u32s col;
    u32s state;
    u32s near;
    u32s left; /* [0]: not 0 if rows are undecided; [1]: the same after this round */
    uint n;
    uint round;
};
CONSTANT(1, lanes); /* per row: 1, 2 ... 32 */

void main()
{
    if (left.at[0] == 0u)
        return;
    bool stays = false;
    FOR_ROWS(i, n, lanes) {
        bool open = i < n && state.at[i] == ROW_UNDECIDED;
        uint begin = open ? row.at[i] : 0u, end = open ? row.at[i + 1u] : 0u, largest = 0u;
        for (uint k = begin + ME % lanes; k < end; k += lanes)
            largest = max(largest, near.at[col.at[k]]);
        largest = lanes_max(largest, lanes);
        bool decides = open && ME % lanes == 0u;
        if (decides && (end - begin == 1u || largest == KEY_ROOT))
            state.at[i] = ROW_OUT;
        else if (decides && largest == key_of(i, round))
            state.at[i] = ROW_ROOT;
        else if (decides)
            stays = true;
    }
    if (stays && left.at[1] == 0u) /* most find it already written */
        left.at[1] = 1u;
}
