#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"

/* The stripe sums of x . y. */
ARGS {
    guard   g;
    scalars x;
    scalars y;
    sums    s;
    uint    n;
};

scalar_t half_of(uint tile, uint part)
{
    scalar_t v[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        v[u] = i < n ? mul(conj(x.at[i]), y.at[i]) : scalar_t(0);
    }
    return half_sum(v);
}

void main()
{
    uint tiles = tiles_of(n);
    scalar_t even = half_of(stripe_tile(gl_WorkGroupID.x), 0); /* loaded together with the guard */
    if (stopped(g))
        return;
    FOR_STRIPES(stripe, tiles) {
        scalar_t sum[1] = scalar_t[1](tile_sum(even, half_of(stripe_tile(stripe), 1)));
        leave_stripe(s, tiles, stripe, 0, sum);
        even = half_of(stripe_tile(stripe + gl_NumWorkGroups.x), 0);
    }
}
