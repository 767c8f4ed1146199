#version 460
#include "kernel.glsl"
#define WIDE_SUMS
#include "sum.glsl"
/* result = x . x in doubles whatever the precision of x, in the canonical order */
ARGS {
    reals   x;
    sums64  s;
    tickets t;
    doubles result;
    uint    n;
};

void main()
{
    uint tiles = tiles_of(n);
    FOR_SPANS(first, end, tiles, 8) {
        FOR_TILES(tile, first, end) {
            double v[8];
            for (uint k = 0; k < 8; k++) {
                uint i = 256u * tile + 32u * k + LANE;
                v[k] = i < n ? double(x.at[i]) * double(x.at[i]) : 0.0lf;
            }
            double sum = tile_sum(v);
            if (LANE == 0 && tile < tiles)
                s.at[tile] = sum;
        }
        if (sum_up(s, t, tiles, 0, 0, first, end - first, 1) && ME == 0)
            result.at[0] = sum_whole(s, tiles, 0);
    }
}
