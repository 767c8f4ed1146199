#include "kernel.glsl"
#define WIDE_SUMS
#include "sum.glsl"
/* result = (scale x) . (scale x) in doubles for any precision of x, in the canonical order. The scale, a power of two,
 * keeps the squares in range. */
ARGS {
    doubles scale; /* one value */
    scalars x;
    sums64  s;
    tickets t;
    doubles result;
    uint    n;
};

double half_of(uint tile, uint part)
{
    double v[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        v[u] = i < n ? scale.at[0] * double(x.at[i]) : 0.0lf;
        v[u] = v[u] * v[u];
    }
    return half_sum(v);
}

void main()
{
    uint tiles = tiles_of(n);
    FOR_SPANS(first, end, tiles) {
        FOR_TILES(tile, first, end) {
            double sum = tile_sum(half_of(tile, 0), half_of(tile, 1));
            if (LANE == 0 && tile < tiles)
                s.at[tile] = sum;
        }
        if (sum_up(s, t, tiles, 0, 0, first, end - first) && ME == 0)
            result.at[0] = sum_whole(s, tiles, 0);
    }
}
