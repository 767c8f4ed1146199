#define SUMS 2
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"

/* y = y + alpha x, z = d y element by element, and the sums of z . y and z . z, in the canonical order.
 * Traffic: x, y and d read, y and z written: 5n. */
ARGS {
    number  alpha;
    scalars x;
    scalars y;
    scalars d;
    scalars z;
    sums    s; /* in rows, `stride` apart */
    tickets t;
    scalars results;
    uint    n;
    uint    stride;
};

/* A loaded half of a tile. */
struct half_tile {
    scalar_t x[4], y[4], d[4];
};

half_tile read_half(uint tile, uint part)
{
    half_tile h;
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        h.x[u] = i < n ? x.at[i] : scalar_t(0);
        h.y[u] = i < n ? y.at[i] : scalar_t(0);
        h.d[u] = i < n ? d.at[i] : scalar_t(0);
    }
    return h;
}

/* Writes y and z, and computes the terms of both sums. */
void step_half(uint tile, uint part, half_tile h, scalar_t alpha, out scalar_t zy, out scalar_t zz)
{
    scalar_t vy[4], vz[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        scalar_t e = i < n ? h.y[u] + mul(alpha, h.x[u]) : scalar_t(0), f = mul(h.d[u], e);
        if (i < n) {
            y.at[i] = e;
            z.at[i] = f;
        }
        vy[u] = mul(conj(f), e);
        vz[u] = mul(conj(f), f);
    }
    zy = half_sum(vy);
    zz = half_sum(vz);
}

void main()
{
    uint tiles = tiles_of(n);
    scalar_t factor = alpha.value;
    FOR_SPANS(first, end, tiles) {
        FOR_TILES(tile, first, end) {
            half_tile even = read_half(tile, 0), odd = read_half(tile, 1);
            scalar_t zy[2], zz[2];
            step_half(tile, 0, even, factor, zy[0], zz[0]);
            step_half(tile, 1, odd, factor, zy[1], zz[1]);
            scalar_t sum_zy = tile_sum(zy[0], zy[1]), sum_zz = tile_sum(zz[0], zz[1]);
            if (LANE == 0 && tile < tiles) {
                s.at[tile] = sum_zy;
                s.at[stride + tile] = sum_zz;
            }
        }
        if (sum_up(s, t, tiles, 0, stride, first, end - first) && ME == 0)
            for (uint c = 0; c < 2; c++)
                results.at[c] = sum_whole(s, tiles, c * stride);
    }
}
