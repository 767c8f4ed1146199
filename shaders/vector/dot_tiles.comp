#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "solver/control.glsl"

/* The tile sums of x . y, while the solve is alive. */
ARGS {
    control c;
    reals   x;
    reals   y;
    sums    s;
    uint    n;
};

real half_of(uint tile, uint part)
{
    real v[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        v[u] = i < n ? x.at[i] * y.at[i] : real(0);
    }
    return half_sum(v);
}

void main()
{
    if (!alive(c))
        return;
    uint tiles = tiles_of(n);
    FOR_EIGHT_TILES(first, tiles) {
        uint tile = first + SQUAD;
        real sum = tile_sum(half_of(tile, 0), half_of(tile, 1));
        if (LANE == 0 && tile < tiles)
            s.at[tile] = sum;
    }
}
