#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/control.glsl"

/* x = x + (w scale) z, r = r - w q, and the stripe sums of r . r; q = A z.
 * Traffic: x, r, z and q read, x and r written: 6n. */
ARGS {
    guard       g;
    control     c;
    real_number weight;
    scalars     x;
    scalars     r;
    scalars     z;
    scalars     q;
    sums        s;
    uint        n;
};

scalar_t half_of(uint tile, uint part, real w)
{
    scalar_t xi[4], ri[4], zi[4], qi[4], v[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        xi[u] = i < n ? x.at[i] : scalar_t(0);
        ri[u] = i < n ? r.at[i] : scalar_t(0);
        zi[u] = i < n ? z.at[i] : scalar_t(0);
        qi[u] = i < n ? q.at[i] : scalar_t(0);
    }
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        scalar_t e = ri[u] - w * qi[u];
        if (i < n) {
            x.at[i] = xi[u] + (w * c.scale) * zi[u];
            r.at[i] = e;
        }
        v[u] = mul(conj(e), e);
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
        scalar_t half_sums[2];
        for (uint part = 0; part < 2; part++)
            half_sums[part] = half_of(stripe_tile(stripe), part, w);
        scalar_t sum[1] = scalar_t[1](tile_sum(half_sums[0], half_sums[1]));
        leave_stripe(s, tiles, stripe, 0, sum);
    }
}
