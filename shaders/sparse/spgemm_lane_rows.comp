#include "kernel.glsl"
#include "sparse/spgemm.h"

/* As spgemm_squad_rows, for rows of A of at most SPGEMM_LANE_MOST entries that give few products: one invocation per
 * row merges the rows of B. */
ARGS {
    u32s list; /* rows */
    u32s a_row;
    u32s a_col;
    u32s b_row;
    u32s b_col;
    u32s c_row; /* counts of entries, or offsets if `fill` is 1 */
    u32s c_col;
    uint count; /* of rows */
    uint fill;
};

#include "sparse/heads.glsl"

void main()
{
    FOR_EACH(s, count) {
        uint i = list.at[s], first = a_row.at[i], entries = a_row.at[i + 1u] - first;
        uint to = fill != 0 ? c_row.at[i] : 0, found = 0;
        head h[SPGEMM_LANE_MOST] = first_heads(first, entries);
        for (uint column = least_column(h); column != NO_COLUMN; column = least_column(h)) {
            if (fill != 0)
                c_col.at[to + found] = column;
            found++;
            [[unroll]] for (uint e = 0; e < SPGEMM_LANE_MOST; e++)
                if (h[e].column == column)
                    h[e] = next_head(h[e]);
        }
        if (fill == 0)
            c_row.at[i] = found;
    }
}
