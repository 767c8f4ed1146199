#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
/* result = the Euclidean norm of x, in the canonical order */
ARGS {
    guard       g;
    scalars     x;
    sums        s;
    tickets     t;
    real_number result;
    uint        n;
};

scalar_t half_of(uint tile, uint part)
{
    scalar_t v[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        v[u] = i < n ? mul(conj(x.at[i]), x.at[i]) : scalar_t(0);
    }
    return half_sum(v);
}

void main()
{
    if (stopped(g))
        return;
    uint tiles = tiles_of(n);
    FOR_SPANS(first, end, tiles) {
        FOR_TILES(tile, first, end) {
            scalar_t sum = tile_sum(half_of(tile, 0), half_of(tile, 1));
            if (LANE == 0 && tile < tiles)
                s.at[tile] = sum;
        }
        if (sum_up(s, t, tiles, 0, 0, first, end - first) && ME == 0)
            result.value = square_root(real_part(sum_whole(s, tiles, 0)));
    }
}
