#include "kernel.glsl"
#include "sum.glsl"

/* The stripe sums of x . y. */
ARGS {
    guard g;
    reals x;
    reals y;
    sums  s;
    uint  n;
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
    uint tiles = tiles_of(n);
    real even = half_of(stripe_tile(gl_WorkGroupID.x), 0); /* loaded together with the guard */
    if (stopped(g))
        return;
    FOR_STRIPES(stripe, tiles) {
        real sum[1] = real[1](tile_sum(even, half_of(stripe_tile(stripe), 1)));
        leave_stripe(s, tiles, stripe, 0, sum);
        even = half_of(stripe_tile(stripe + gl_NumWorkGroups.x), 0);
    }
}
