#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/lsmr.glsl"

/* The right vector: alpha v = C A^T u - beta v, and the stripe sums of its square. Vectors are stored unnormalised: p
 * is A^T times beta u, and the v that is read is alpha v. Traffic: p, the scales and v read, v written: 4n. */
ARGS {
    control      c;
    lsmr_numbers w;
    scalars      p;
    reals        scale;
    scalars      v;
    sums         s; /* in rows, `stride` apart */
    uint         m; /* elements of u */
    uint         n;
    uint         stride;
};
CONSTANT(1, first); /* 1: there is no previous v */

scalar_t right_half(uint tile, uint part, real to_p, real to_v)
{
    scalar_t pj[4];
    real cj[4];
    scalar_t vj[4], squares[4];
    for (uint t = 0; t < 4; t++) {
        uint j = half_element(tile, part, t);
        pj[t] = j < n ? p.at[j] : scalar_t(0);
        cj[t] = j < n ? scale.at[j] : real(0);
        vj[t] = j < n && first == 0 ? v.at[j] : scalar_t(0);
    }
    for (uint t = 0; t < 4; t++) {
        uint j = half_element(tile, part, t);
        scalar_t e = to_p * (cj[t] * pj[t]) - to_v * vj[t];
        if (j < n)
            v.at[j] = e;
        squares[t] = mul(conj(e), e);
    }
    return half_sum(squares);
}

void main()
{
    bool is_alive = alive(c);
    real beta = square_root(real_part(rest_of_stripes(s, tiles_of(m), LSMR_U * stride, stride, 1)[0]));
    if (!is_alive)
        return;
    uint tiles = tiles_of(n);
    real alpha = first != 0 ? real(0) : w.now.alpha;
    real to_p = beta > real(0) ? divide(real(1), beta) : real(0);
    real to_v = alpha > real(0) ? divide(beta, alpha) : real(0);
    if (gl_WorkGroupID.x == 0 && ME == 0)
        w.beta = beta;
    FOR_STRIPES(stripe, tiles) {
        scalar_t half_sums[2];
        for (uint part = 0; part < 2; part++)
            half_sums[part] = right_half(stripe_tile(stripe), part, to_p, to_v);
        scalar_t sum[1] = scalar_t[1](tile_sum(half_sums[0], half_sums[1]));
        leave_stripe(s, tiles, LSMR_V * stride + stripe, stride, sum);
    }
}
