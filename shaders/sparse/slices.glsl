/* SELL with slices of any height, a power of two, whose rows may be permuted; and ELL, which is one slice of all rows:
 * `slice` is then null, `height` the rows padded to a multiple of 32, and `width` the width of all rows.
 *
 * A row has a position: i is part i mod height of slice i / height. */
#include "sparse/sell.glsl"

sell slices_of(u32s slice, u32s col, u32s base, values val, uint n, uint height, uint width, uint compact)
{
    return sell(offsets_in(slice), offsets_in(col), bases_in(base), values_in(val), groups_of(n, height), height,
                findLSB(height), width, compact != 0);
}

bool is_ell(sell A)
{
    return !is_there(uvec2(A.slice));
}

/* The slice at position i. */
sell_slice slice_of(sell A, uint i)
{
    return is_ell(A) ? sell_slice(0, A.width, 0) : slice_at(A, i >> A.shift);
}

/* The part of that slice. */
uint part_of(sell A, uint i)
{
    return is_ell(A) ? i : i & (A.height - 1u);
}

/* The row at position i of n, n beyond the last; a null order is the initial one. */
uint row_of(u32s order, uint n, uint i)
{
    return !is_there(uvec2(order)) || i >= n ? min(i, n) : order.at[i];
}

/* The number of stored entries of row i: 0 if it is long. */
uint stored_length(u32s row, uint i)
{
    uint length = row.at[i + 1] - row.at[i];
    return length > LONG_ROW ? 0 : length;
}

/* Row j of slice s, summed by 16 or 32 lanes, eight at a time: those which the tree over the lanes joins first. */
scalar_t sell_row_of_many_lanes(sell A, scalars_in x, sell_slice s, uint j, uint lanes)
{
    scalar_t none = scalar_t(0);
    four_lanes sum = four_lanes(none, none, none, none), before = sum, first = sum;
    for (uint turn = 0; turn < lanes / 8u; turn++) {
        uint eight = lanes == 32 ? turn % 2u * 2u + turn / 2u : turn;
        sum = joined_lanes(A, x, s, j, 4u * eight, lanes / 2u);
        if (turn % 2u == 0) {
            before = sum;
            continue;
        }
        sum = four_lanes(before.l0 + sum.l0, before.l1 + sum.l1, before.l2 + sum.l2, before.l3 + sum.l3);
        if (turn == 1)
            first = sum;
        else
            sum = four_lanes(first.l0 + sum.l0, first.l1 + sum.l1, first.l2 + sum.l2, first.l3 + sum.l3);
    }
    return (sum.l0 + sum.l2) + (sum.l1 + sum.l3);
}
