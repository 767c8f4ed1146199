#include "kernel.glsl"
#include "algebra.glsl"
#include "sparse/spgemm.h"

/* As spgemm_values, for the rows of SPGEMM_BY_LANE: an invocation merges the rows of B, so that the products of an
 * entry of C come together, in the order of k. */
ARGS {
    u32s    a_row;
    u32s    a_col;
    scalars a_val;
    u32s    b_row;
    u32s    b_col;
    scalars b_val;
    u32s    c_row;
    u32s    c_col;
    scalars c_val;
    u32s    missing;
    uint    n;
};

#include "sparse/heads.glsl"

/* Gives +0 to the entries of C, starting at `at`, whose columns are less than `column`: they have no products. */
uint pass_over(uint at, uint end, uint column)
{
    for (; at < end && c_col.at[at] < column; at++)
        c_val.at[at] = scalar_t(0);
    return at;
}

void merge(uint i, uint first, uint entries, uint at, uint end)
{
    head h[SPGEMM_LANE_MOST] = first_heads(first, entries);
    /* +0, opaque to compilers: they would omit the first addition, which turns -0 to +0. */
    scalar_t zero = scalar_of(real(uint(entries > SPGEMM_LANE_MOST)));
    for (uint column = least_column(h); column != NO_COLUMN; column = least_column(h)) {
        scalar_t sum = zero;
        [[unroll]] for (uint e = 0; e < SPGEMM_LANE_MOST; e++)
            if (h[e].column == column) {
                sum = sum + mul(a_val.at[first + e], b_val.at[h[e].at]);
                h[e] = next_head(h[e]);
            }
        at = pass_over(at, end, column);
        if (at < end && c_col.at[at] == column)
            c_val.at[at++] = sum;
        else
            atomicMin(missing.at[0], i);
    }
    pass_over(at, end, NO_COLUMN);
}

void main()
{
    FOR_EACH(i, n) {
        uint first = a_row.at[i], entries = a_row.at[i + 1u] - first, begin = c_row.at[i], end = c_row.at[i + 1u];
        if (SPGEMM_BY_LANE(entries, end - begin))
            merge(i, first, entries, begin, end);
    }
}
