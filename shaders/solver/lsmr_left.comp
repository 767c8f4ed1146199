#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/lsmr.glsl"

/* Decides whether the solve continues. Then the left vector: beta u = A v - alpha u, and the stripe sums of its
 * square. It is stored times beta, so the u that is read is u / beta. Traffic: q and u read, u written: 3n. */
ARGS {
    control      c;
    lsmr_numbers w;
    scalars      q; /* A v */
    scalars      u;
    sums         s; /* in rows, `stride` apart */
    uint         n;
    uint         stride;
};

uint state_after(lsmr_scalars next)
{
    if (w.fault != real(LSMR_SOUND))
        return w.fault == real(LSMR_NO_PIVOT) ? STATE_BREAKDOWN : STATE_NOT_FINITE;
    if (next.rr <= c.stop || next.normal <= w.goal)
        return STATE_MET;
    return c.iteration >= c.limit ? STATE_LIMIT : STATE_RUNNING;
}

scalar_t left_half(uint tile, uint part, real factor)
{
    scalar_t qi[4], ui[4], v[4];
    for (uint t = 0; t < 4; t++) {
        uint i = half_element(tile, part, t);
        qi[t] = i < n ? q.at[i] : scalar_t(0);
        ui[t] = i < n ? u.at[i] : scalar_t(0);
    }
    for (uint t = 0; t < 4; t++) {
        uint i = half_element(tile, part, t);
        scalar_t e = qi[t] - factor * ui[t];
        if (i < n)
            u.at[i] = e;
        v[t] = mul(conj(e), e);
    }
    return half_sum(v);
}

void main()
{
    if (!alive(c))
        return;
    lsmr_scalars next = w.next;
    uint state = state_after(next);
    if (gl_WorkGroupID.x == 0 && ME == 0) {
        c.state = state;
        w.now = next;
    }
    if (state != STATE_RUNNING)
        return;
    uint tiles = tiles_of(n);
    real beta = w.beta, factor = beta > real(0) ? divide(next.alpha, beta) : real(0);
    FOR_STRIPES(stripe, tiles) {
        scalar_t half_sums[2];
        for (uint part = 0; part < 2; part++)
            half_sums[part] = left_half(stripe_tile(stripe), part, factor);
        scalar_t sum[1] = scalar_t[1](tile_sum(half_sums[0], half_sums[1]));
        leave_stripe(s, tiles, LSMR_U * stride + stripe, stride, sum);
    }
}
