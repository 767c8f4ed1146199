#include "kernel.glsl"
#define PAIR_SUMS
#include "sum.glsl"

/* result = (scale x) . (scale x) in pairs of floats (pairs.glsl), in the canonical order. The scale, a power of two,
 * keeps the squares in range. */
ARGS {
    pairs     scale; /* one value */
    pairs     x;
    pair_sums s;
    tickets   t;
    pairs     result;
    uint      n;
};

vec2 half_of(uint tile, uint part)
{
    vec2 v[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        v[u] = i < n ? scale.at[0].x * x.at[i] : vec2(0);
        v[u] = pair_times(v[u], v[u]);
    }
    return half_sum(v);
}

void main()
{
    uint tiles = tiles_of(n);
    FOR_SPANS(first, end, tiles) {
        FOR_TILES(tile, first, end) {
            vec2 sum = tile_sum(half_of(tile, 0), half_of(tile, 1));
            if (LANE == 0 && tile < tiles)
                s.at[tile] = sum;
        }
        if (sum_up(s, t, tiles, 0, 0, first, end - first) && ME == 0)
            result.at[0] = sum_whole(s, tiles, 0);
    }
}
