#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "solver/control.glsl"

/* The sums of x . y down to FEW, while the solve is alive. */
ARGS {
    control c;
    reals   x;
    reals   y;
    sums    s;
    tickets t;
    uint    n;
};

void main()
{
    if (!alive(c))
        return;
    uint tiles = tiles_of(n);
    FOR_SPANS(first, end, tiles, 8) {
        FOR_TILES(tile, first, end) {
            real v[8];
            for (uint k = 0; k < 8; k++) {
                uint i = 256u * tile + 32u * k + LANE;
                v[k] = i < n ? x.at[i] * y.at[i] : real(0);
            }
            real sum = tile_sum(v);
            if (LANE == 0 && tile < tiles)
                s.at[tile] = sum;
        }
        sum_up(s, t, tiles, 0, 0, first, end - first, FEW);
    }
}
