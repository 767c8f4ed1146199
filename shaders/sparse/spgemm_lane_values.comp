#version 460
#include "kernel.glsl"

/* As spgemm_values, for the rows that SPGEMM_BY_LANE tells, an invocation to each: it walks through the rows of B and
 * that of C at once. */
ARGS {
    u32s  a_row;
    u32s  a_col;
    reals a_val;
    u32s  b_row;
    u32s  b_col;
    reals b_val;
    u32s  c_row;
    u32s  c_col;
    reals c_val;
    u32s  missing;
    uint  n;
};

#include "sparse/heads.glsl"

/* The entries first .. end - 1 of C; false where that lacks one. */
bool sum_row(inout head h[SPGEMM_LANE_MOST], real alpha[SPGEMM_LANE_MOST], uint first, uint end)
{
    bool whole = true;
    for (uint c = first; c < end; c++) {
        uint column = c_col.at[c];
        real sum = real(0);
        [[unroll]] for (uint e = 0; e < SPGEMM_LANE_MOST; e++) {
            while (h[e].column < column) {
                whole = false;
                h[e] = next_head(h[e]);
            }
            if (h[e].column == column) {
                sum = sum + alpha[e] * b_val.at[h[e].at];
                h[e] = next_head(h[e]);
            }
        }
        c_val.at[c] = sum;
    }
    [[unroll]] for (uint e = 0; e < SPGEMM_LANE_MOST; e++)
        whole = whole && h[e].column == NO_COLUMN;
    return whole;
}

void main()
{
    FOR_EACH(i, n) {
        uint first = a_row.at[i], entries = a_row.at[i + 1u] - first, begin = c_row.at[i], end = c_row.at[i + 1u];
        if (!SPGEMM_BY_LANE(entries, end - begin))
            continue;
        head h[SPGEMM_LANE_MOST];
        real alpha[SPGEMM_LANE_MOST];
        [[unroll]] for (uint e = 0; e < SPGEMM_LANE_MOST; e++) {
            h[e] = head(0, 0, NO_COLUMN);
            alpha[e] = real(0);
            if (e < entries) {
                h[e] = head_of_row(a_col.at[first + e]);
                alpha[e] = a_val.at[first + e];
            }
        }
        if (!sum_row(h, alpha, begin, end))
            atomicMin(missing.at[0], i);
    }
}
