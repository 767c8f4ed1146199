#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "exact.glsl"
/* result = the Euclidean norm of x, in the canonical order */
ARGS {
    reals   x;
    sums    s;
    tickets t;
    number  result;
    uint    n;
};

void main()
{
    uint tiles = tiles_of(n);
    FOR_TILES(first, tile, tiles) {
        real v[8];
        for (uint k = 0; k < 8; k++) {
            uint i = 256u * tile + 32u * k + LANE;
            v[k] = i < n ? x.at[i] * x.at[i] : real(0);
        }
        real sum = tile_sum(v);
        if (LANE == 0 && tile < tiles)
            s.at[tile] = sum;
        real total[1];
        if (sum_up(s, t, tiles, 0, first, min(8u, tiles - first), total) && ME == 0)
            result.value = square_root(total[0]);
    }
}
