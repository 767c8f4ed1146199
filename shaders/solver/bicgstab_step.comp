#define SUMS 1
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/bicgstab.glsl"
#include "solver/cg.h"

/* Step j of a cycle: alpha = rho_j / r~ . u_j+1, r_i = r_i - alpha u_i+1 for i <= j, y = y + alpha u_0, the stripe sums
 * of r . r, and z = M^-1 r_j if M is a diagonal. Traffic: j + 1 columns each of r and u and u_0 read, those of r
 * written, y, z and the weights: 7n for j = 0 to 16n for j = 3, n for the diagonal and n for the weights. */
ARGS {
    control          c;
    bicgstab_numbers w;
    scalars          r;
    scalars          rest; /* r_1 to r_4: columns of n */
    scalars          u;    /* u_0 to u_4 */
    scalars          d;    /* 1 / diagonal */
    reals            weight;
    scalars          y;
    scalars          z;
    sums             s; /* in rows, `stride` apart */
    uint             n;
    uint             stride;
};
CONSTANT(1, j);
CONSTANT(2, form); /* FORM_... */
CONSTANT(3, weighted);

void leave(scalar_t gamma, scalar_t alpha, bool sound)
{
    if (j == 0 && (w.least == real(0) || w.ended < w.least))
        w.least = w.ended;
    w.alpha = alpha;
    w.fresh = uint(sound && j < BICGSTAB_L - 1u);
    if (sound)
        return;
    w.pivot = gamma;
    w.fault = real(finite(gamma) ? BICGSTAB_NO_GAMMA : BICGSTAB_SOUND);
    c.state = finite(gamma) ? STATE_BREAKDOWN : STATE_NOT_FINITE;
}

/* Computes the new elements of four rows; returns their terms of r . r. */
scalar_t step_half(uint tile, uint part, scalar_t alpha, scalar_t same)
{
    scalar_t v[4];
    for (uint t = 0; t < 4; t++) {
        uint i = half_element(tile, part, t);
        v[t] = scalar_t(0);
        if (i >= n)
            continue;
        y.at[i] = y.at[i] + mul(alpha, u.at[i]);
        scalar_t e = r.at[i] - mul(alpha, u.at[n + i]), last = e;
        r.at[i] = e;
        for (uint k = 1; k <= j; k++) {
            last = rest.at[(k - 1u) * n + i] - mul(alpha, u.at[(k + 1u) * n + i]);
            rest.at[(k - 1u) * n + i] = last;
        }
        if (form != FORM_GIVEN)
            z.at[i] = form == FORM_EACH ? mul(d.at[i], last) : form == FORM_ONE ? mul(same, last) : last;
        scalar_t scaled = weighted != 0 ? weight.at[i] * e : e;
        v[t] = mul(conj(scaled), scaled);
    }
    return half_sum(v);
}

void main()
{
    bool is_alive = alive(c);
    uint tiles = tiles_of(n);
    scalar_t rho = w.rho[j], same = form == FORM_ONE ? d.at[0] : scalar_of(real(1));
    scalar_t total[SUMS] = rest_of_stripes(s, tiles, BICGSTAB_GAMMA * stride, stride, 1);
    scalar_t gamma = total[0], alpha = divide(rho, gamma);
    bool sound = finite(gamma) && gamma != scalar_t(0) && finite(alpha);
    if (is_alive && gl_WorkGroupID.x == 0 && ME == 0)
        leave(gamma, alpha, sound);
    if (!is_alive || !sound)
        return;
    FOR_STRIPES(stripe, tiles) {
        scalar_t half_sums[2];
        for (uint part = 0; part < 2; part++)
            half_sums[part] = step_half(stripe_tile(stripe), part, alpha, same);
        scalar_t tile[SUMS] = scalar_t[SUMS](tile_sum(half_sums[0], half_sums[1]));
        leave_stripe(s, tiles, BICGSTAB_RR * stride + stripe, stride, tile);
    }
}
