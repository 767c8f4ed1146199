#define SUMS 15
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/bicgstab.glsl"
#include "solver/course_state.glsl"

/* The stripe sums of r_i . r_j, 0 <= i <= j <= 4, from which bicgstab_end minimises the residual. Also updates the
 * state from the residual of the last step. Traffic: five vectors: 5n. */
ARGS {
    control          c;
    bicgstab_numbers w;
    scalars          r;
    scalars          rest;    /* r_1 to r_4, columns of n elements */
    reals            history; /* r . r of each iteration, the first `kept` */
    sums             s;       /* in rows, `stride` apart */
    uint             n;
    uint             stride;
    uint             kept;
};

#include "solver/bicgstab_decide.glsl"

scalar_t[SUMS] products_of_half(uint tile, uint part)
{
    scalar_t e[5][4], half_sums[SUMS];
    for (uint t = 0; t < 4; t++) {
        uint i = half_element(tile, part, t);
        for (uint k = 0; k <= BICGSTAB_L; k++)
            e[k][t] = i >= n ? scalar_t(0) : k == 0 ? r.at[i] : rest.at[(k - 1u) * n + i];
    }
    for (uint k = 0; k <= BICGSTAB_L; k++)
        for (uint l = k; l <= BICGSTAB_L; l++) {
            scalar_t v[4];
            for (uint t = 0; t < 4; t++)
                v[t] = mul(conj(e[k][t]), e[l][t]);
            half_sums[BICGSTAB_PLACE(k, l)] = half_sum(v);
        }
    return half_sums;
}

void main()
{
    bool is_alive = alive_together(c);
    uint tiles = tiles_of(n);
    if (!is_alive)
        return;
    scalar_t before[SUMS] = rest_of_stripes(s, tiles, BICGSTAB_RR * stride, stride, gl_WorkGroupID.x == 0 ? 1 : 0);
    FOR_STRIPES(stripe, tiles) {
        scalar_t half_sums[2][SUMS], tile[SUMS];
        for (uint part = 0; part < 2; part++)
            half_sums[part] = products_of_half(stripe_tile(stripe), part);
        for (uint row = 0; row < SUMS; row++)
            tile[row] = tile_sum(half_sums[0][row], half_sums[1][row]);
        leave_stripe(s, tiles, BICGSTAB_GRAM * stride + stripe, stride, tile);
    }
    if (gl_WorkGroupID.x == 0 && ME == 0)
        decide(real_part(before[0]), true);
}
