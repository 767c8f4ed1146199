#version 460
#include "kernel.glsl"
#include "sum.glsl"
/* result = the sum of x, in the canonical order */
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
    FOR_SPANS(first, end, tiles, 8) {
        FOR_TILES(tile, first, end) {
            real v[8];
            for (uint k = 0; k < 8; k++) {
                uint i = 256u * tile + 32u * k + LANE;
                v[k] = i < n ? x.at[i] : real(0);
            }
            real sum = tile_sum(v);
            if (LANE == 0 && tile < tiles)
                s.at[tile] = sum;
        }
        if (sum_up(s, t, tiles, 0, 0, first, end - first, 1) && ME == 0)
            result.value = sum_whole(s, tiles, 0);
    }
}
