#include "kernel.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/control.glsl"

/* x = x + (w scale) z, r = r - w q, and the stripe sums of r . r; q = A z.
 * Traffic: x, r, z and q read, x and r written: 6n. */
ARGS {
    guard   g;
    control c;
    number  weight;
    reals   x;
    reals   r;
    reals   z;
    reals   q;
    sums    s;
    uint    n;
};

real half_of(uint tile, uint part, real w)
{
    real xi[4], ri[4], zi[4], qi[4], v[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        xi[u] = i < n ? x.at[i] : real(0);
        ri[u] = i < n ? r.at[i] : real(0);
        zi[u] = i < n ? z.at[i] : real(0);
        qi[u] = i < n ? q.at[i] : real(0);
    }
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        real e = ri[u] - w * qi[u];
        if (i < n) {
            x.at[i] = xi[u] + (w * c.scale) * zi[u];
            r.at[i] = e;
        }
        v[u] = e * e;
    }
    return half_sum(v);
}

void main()
{
    if (stopped(g))
        return;
    uint tiles = tiles_of(n);
    real w = weight.value;
    FOR_STRIPES(stripe, tiles) {
        real half_sums[2];
        for (uint part = 0; part < 2; part++)
            half_sums[part] = half_of(stripe_tile(stripe), part, w);
        real sum[1] = real[1](tile_sum(half_sums[0], half_sums[1]));
        leave_stripe(s, tiles, stripe, 0, sum);
    }
}
