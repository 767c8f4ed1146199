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
    uint tiles = tiles_of(n), first = gl_WorkGroupID.x * 8u;
    real even = half_of(first + SQUAD, 0); /* under way while the state is asked */
    if (!alive(c))
        return;
    for (; first < tiles; first += gl_NumWorkGroups.x * 8u) {
        uint tile = first + SQUAD;
        real sum = tile_sum(even, half_of(tile, 1));
        if (LANE == 0 && tile < tiles)
            s.at[tile] = sum;
        even = half_of(tile + gl_NumWorkGroups.x * 8u, 0);
    }
}
