#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/minres.glsl"
#include "solver/cg.h"

/* The next Lanczos vector: delta = q . z / gamma^2, v' = q / gamma - (delta / gamma) v - (gamma / gamma_old) v_old, z'
 * = M^-1 v', and the stripe sums of v' . z'. v' overwrites v_old. Traffic: q, v, v_old and d read, v' and z' written:
 * 6n (5n if M is the same in all rows, 4n if z' is not computed). */
ARGS {
    control        c;
    minres_numbers w;
    scalars        v;
    scalars        old;
    scalars        q; /* A z */
    scalars        d; /* 1 / diagonal */
    scalars        z; /* z' */
    sums           s; /* in rows, `stride` apart */
    uint           n;
    uint           stride;
};
CONSTANT(1, form);    /* FORM_...; for FORM_GIVEN, the sums of v' . z' are meaningless */
CONSTANT(2, striped); /* 1: q . z is in stripes, 0: in tiles */
CONSTANT(3, turn);

real sum_of_qz(uint tiles)
{
    return striped != 0 ? real_part(rest_of_stripes(s, tiles, 0, stride, 1)[0])
                        : real_part(rest_of_tiles(s, tiles, 0, stride, 1)[0]);
}

/* Computes the new elements of four rows; returns their terms of v' . z'. */
scalar_t lanczos_half(uint tile, uint part, real over, real a, real b, scalar_t same)
{
    scalar_t e[4], y[4];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        e[u] = i < n ? over * q.at[i] - a * v.at[i] - b * old.at[i] : scalar_t(0);
        y[u] = i < n && form == FORM_EACH ? mul(d.at[i], e[u]) : form == FORM_ONE ? mul(same, e[u]) : e[u];
    }
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u);
        if (i < n)
            old.at[i] = e[u];
        if (i < n && form != FORM_GIVEN)
            z.at[i] = y[u];
        e[u] = mul(conj(e[u]), y[u]);
    }
    return half_sum(e);
}

void main()
{
    bool is_alive = alive(c);
    uint tiles = tiles_of(n);
    real gamma = w.turn[turn].gamma, gamma_old = w.turn[turn].gamma_old;
    scalar_t same = form == FORM_ONE ? d.at[0] : scalar_of(real(1));
    real qz = sum_of_qz(tiles);
    real over = divide(real(1), gamma), delta = (qz * over) * over;
    real a = delta * over, b = divide(gamma, gamma_old);
    if (gl_WorkGroupID.x == 0 && ME == 0) {
        w.pending = uint(is_alive);
        w.delta = delta;
    }
    if (!is_alive)
        return;
    FOR_STRIPES(stripe, tiles) {
        scalar_t half_sums[2], tile[SUMS];
        for (uint part = 0; part < 2; part++)
            half_sums[part] = lanczos_half(stripe_tile(stripe), part, over, a, b, same);
        tile[0] = tile_sum(half_sums[0], half_sums[1]);
        leave_stripe(s, tiles, MINRES_VZ * stride + stripe, stride, tile);
    }
}
