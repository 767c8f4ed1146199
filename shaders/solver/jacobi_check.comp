#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/control.glsl"

/* The stripe sums of r . r, r = (b - q) / scale with q = A x, or if `fixpoint` (b + q - x) / scale with q = M x.
 * Traffic: b and q read (and x): 2n (3n). */
ARGS {
    guard   g;
    control c;
    scalars x;
    scalars b;
    scalars q;
    sums    s;
    uint    n;
    uint    fixpoint;
};

scalar_t half_of(uint tile, uint part, real inverse)
{
    scalar_t bi[4], qi[4], xi[4], v[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        bi[u] = i < n ? b.at[i] : scalar_t(0);
        qi[u] = i < n ? q.at[i] : scalar_t(0);
        xi[u] = i < n && fixpoint != 0 ? x.at[i] : scalar_t(0);
    }
    for (uint u = 0; u < 4; u++) {
        scalar_t e = fixpoint != 0 ? (bi[u] + qi[u]) - xi[u] : bi[u] - qi[u];
        e = e * inverse;
        v[u] = mul(conj(e), e);
    }
    return half_sum(v);
}

void main()
{
    uint tiles = tiles_of(n);
    real inverse = divide(real(1), c.scale);
    scalar_t even = half_of(stripe_tile(gl_WorkGroupID.x), 0, inverse); /* loaded together with the guard */
    if (stopped(g))
        return;
    FOR_STRIPES(stripe, tiles) {
        scalar_t sum[1] = scalar_t[1](tile_sum(even, half_of(stripe_tile(stripe), 1, inverse)));
        leave_stripe(s, tiles, stripe, 0, sum);
        even = half_of(stripe_tile(stripe + gl_NumWorkGroups.x), 0, inverse);
    }
}
