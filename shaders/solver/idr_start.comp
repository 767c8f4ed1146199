#define SUMS 5
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/idr.glsl"

/* The stripe sums of r . r and the shadow sums of r, from which a start of IDR(4) begins, and m = I.
 * Traffic: r and, if it is weighted, the weights: n to 2n. */
ARGS {
    idr_numbers w;
    scalars     r;
    reals       weight;
    sums        s; /* in rows, `stride` apart */
    uint        n;
    uint        stride;
};
CONSTANT(1, weighted);

#include "solver/idr_residual.glsl"

void main()
{
    uint tiles = tiles_of(n), key = shadow_key(w);
    if (gl_WorkGroupID.x == 0 && ME < IDR_S * IDR_S)
        w.m[ME] = scalar_of(real(ME % (IDR_S + 1u) == 0u));
    FOR_STRIPES(stripe, tiles) {
        scalar_t half_sums[2][SUMS];
        for (uint part = 0; part < 2; part++) {
            scalar_t e[4];
            for (uint u = 0; u < 4; u++) {
                uint i = half_element(stripe_tile(stripe), part, u);
                e[u] = i < n ? r.at[i] : scalar_t(0);
            }
            half_sums[part] = residual_sums(stripe_tile(stripe), part, e, key);
        }
        leave_residual(stripe, tiles, half_sums);
    }
}
