#include "kernel.glsl"
#include "sum.glsl"

/* z = B r, with B the blocks on the diagonal, and the stripe sums of r . z at s.at[to ...]. Element i is summed from
 * the first column of its block to the last. Blocks are stored column by column: neighbouring rows read neighbouring
 * addresses. Traffic: the blocks, r and z once, 4 bytes a row and 8 a block. */
ARGS {
    guard g;
    reals blocks;
    u32s  of;    /* the block of each row */
    u32s  first; /* the first row of each block, and n */
    u32s  at;    /* where each block begins in `blocks` */
    reals r;
    reals z;
    sums  s;
    uint  n;
    uint  to;
};

/* Four rows at once, so that their loads overlap: returns their terms of r . z. */
real half_of(uint tile, uint part)
{
    uint begin[4], rows[4], entry[4], most = 0;
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        uint b = i < n ? of.at[i] : 0;
        begin[u] = first.at[b];
        rows[u] = i < n ? first.at[b + 1] - begin[u] : 0;
        entry[u] = at.at[b] + (i - begin[u]);
        most = max(most, rows[u]);
    }
    real sum[4] = real[4](real(0), real(0), real(0), real(0));
    for (uint j = 0; j < most; j++)
        for (uint u = 0; u < 4; u++)
            if (j < rows[u])
                sum[u] = sum[u] + blocks.at[entry[u] + j * rows[u]] * r.at[begin[u] + j];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        if (i < n) {
            z.at[i] = sum[u];
            sum[u] = r.at[i] * sum[u];
        }
    }
    return half_sum(sum);
}

void main()
{
    if (stopped(g))
        return;
    uint tiles = tiles_of(n);
    FOR_STRIPES(stripe, tiles) {
        uint tile = stripe_tile(stripe);
        real even = half_of(tile, 0);
        real sum[1] = real[1](tile_sum(even, half_of(tile, 1)));
        leave_stripe(s, tiles, to + stripe, 0, sum);
    }
}
