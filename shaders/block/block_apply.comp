#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"

/* z = B r, with B the blocks on the diagonal, and the stripe sums of r . z at s.at[to ...]. Element i is summed from
 * the first column of its block to the last. Blocks are stored column by column: neighbouring rows read neighbouring
 * addresses. Traffic: the blocks, r and z once, 4 bytes a row and 8 a block. */
ARGS {
    guard   g;
    scalars blocks;
    u32s    of;    /* the block of each row */
    u32s    first; /* the first row of each block, and n */
    u32s    at;    /* where each block begins in `blocks` */
    scalars r;
    scalars z;
    sums    s;
    uint    n;
    uint    to;
};

/* Computes four rows at once, so that their loads overlap; returns their terms of r . z. */
scalar_t half_of(uint tile, uint part)
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
    scalar_t sum[4] = scalar_t[4](scalar_t(0), scalar_t(0), scalar_t(0), scalar_t(0));
    for (uint j = 0; j < most; j++)
        for (uint u = 0; u < 4; u++)
            if (j < rows[u])
                sum[u] = sum[u] + mul(blocks.at[entry[u] + j * rows[u]], r.at[begin[u] + j]);
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        if (i < n) {
            z.at[i] = sum[u];
            sum[u] = mul(conj(r.at[i]), sum[u]);
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
        scalar_t even = half_of(tile, 0);
        scalar_t sum[1] = scalar_t[1](tile_sum(even, half_of(tile, 1)));
        leave_stripe(s, tiles, to + stripe, 0, sum);
    }
}
