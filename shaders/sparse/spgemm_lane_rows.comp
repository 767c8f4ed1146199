#version 460
#include "kernel.glsl"
#include "sparse/spgemm.h"

/* As spgemm_squad_rows, for rows of A of at most SPGEMM_LANE_MOST entries that make few products: an invocation to
 * each row merges the rows of B. */
ARGS {
    u32s list; /* rows */
    u32s a_row;
    u32s a_col;
    u32s b_row;
    u32s b_col;
    u32s c_row; /* counts of entries, or where `fill` is 1 offsets */
    u32s c_col;
    uint count; /* of rows */
    uint fill;
};

/* How far a row of B has been read. */
#define NO_COLUMN 0xFFFFFFFFu

struct head {
    uint at, end; /* entries of B */
    uint column;  /* of entry `at`, or NO_COLUMN at the end */
};

head head_at(uint at, uint end)
{
    return head(at, end, at < end ? b_col.at[at] : NO_COLUMN);
}

head head_of_row(uint k)
{
    return head_at(b_row.at[k], b_row.at[k + 1u]);
}

head next_head(head h)
{
    return head_at(h.at + 1u, h.end);
}

uint least_column(head h[SPGEMM_LANE_MOST])
{
    uint least = NO_COLUMN;
    [[unroll]] for (uint e = 0; e < SPGEMM_LANE_MOST; e++)
        least = min(least, h[e].column);
    return least;
}

void main()
{
    FOR_EACH(s, count) {
        uint i = list.at[s], first = a_row.at[i], entries = a_row.at[i + 1u] - first;
        uint to = fill != 0 ? c_row.at[i] : 0, found = 0;
        head h[SPGEMM_LANE_MOST];
        [[unroll]] for (uint e = 0; e < SPGEMM_LANE_MOST; e++) {
            h[e] = head(0, 0, NO_COLUMN);
            if (e < entries)
                h[e] = head_of_row(a_col.at[first + e]);
        }
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
