#define SUMS 5
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "solver/idr.glsl"

/* The shadow sums of a new column of G, and its squared norm. Traffic: n. */
ARGS {
    guard       stop;
    idr_numbers w;
    scalars     g; /* the column */
    sums        s; /* in rows, `stride` apart */
    uint        n;
    uint        stride;
};

scalar_t[SUMS] sums_of_half(uint tile, uint part, uint key, bool has_numbers)
{
    scalar_t v[SUMS][4], half_sums[SUMS];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u), bits = shadow_bits(i, key);
        scalar_t e = i < n ? g.at[i] : scalar_t(0);
        for (uint k = 0; k < IDR_S; k++)
            v[k][u] = i < n ? shadowed(bits, k, has_numbers, e) : scalar_t(0);
        v[IDR_S][u] = mul(conj(e), e);
    }
    for (uint row = 0; row < SUMS; row++)
        half_sums[row] = half_sum(v[row]);
    return half_sums;
}

void main()
{
    if (stopped(stop))
        return;
    uint tiles = tiles_of(n), key = shadow_key(w);
    bool has_numbers = shadow_has_numbers(w.start, n);
    FOR_STRIPES(stripe, tiles) {
        scalar_t half_sums[2][SUMS], tile[SUMS];
        for (uint part = 0; part < 2; part++)
            half_sums[part] = sums_of_half(stripe_tile(stripe), part, key, has_numbers);
        for (uint row = 0; row < SUMS; row++)
            tile[row] = tile_sum(half_sums[0][row], half_sums[1][row]);
        leave_stripe(s, tiles, IDR_SHADOW * stride + stripe, stride, tile);
    }
}
