#define SUMS 2
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "solver/bicgstab.glsl"
#include "solver/shadow.glsl"

/* A start of BiCGStab(4): the shadow vector r~ is r in the first one, and later signs from a hash, or numbers
 * (shadow.h); u_0, y and the best y are zero. Leaves the stripe sums of r~ . r and r . r. Traffic: r and, if it is
 * weighted, the weights read, four vectors written: 5n to 6n. */
ARGS {
    bicgstab_numbers w;
    scalars          r;
    reals            weight;
    scalars          shadow;
    scalars          u;
    scalars          y;
    scalars          best;
    sums             s; /* in rows, `stride` apart */
    uint             n;
    uint             stride;
};
CONSTANT(1, weighted);

real shadow_of(uint h, bool has_numbers)
{
    bool is_negative = h >> 31 != 0u;
    return has_numbers ? shadow_number(h, is_negative) : is_negative ? real(-1) : real(1);
}

scalar_t[SUMS] start_half(uint tile, uint part, uint number_of_start, bool has_numbers)
{
    scalar_t v[SUMS][4], half_sums[SUMS];
    for (uint t = 0; t < 4; t++) {
        uint i = half_element(tile, part, t);
        v[0][t] = v[1][t] = scalar_t(0);
        if (i >= n)
            continue;
        scalar_t e = r.at[i];
        scalar_t q = number_of_start == 1 ? e : scalar_of(shadow_of(hash(i ^ hash(number_of_start)), has_numbers));
        scalar_t scaled = weighted != 0 ? weight.at[i] * e : e;
        shadow.at[i] = q;
        u.at[i] = y.at[i] = best.at[i] = scalar_t(0);
        v[BICGSTAB_RHO][t] = mul(conj(q), e);
        v[BICGSTAB_RR][t] = mul(conj(scaled), scaled);
    }
    for (uint row = 0; row < SUMS; row++)
        half_sums[row] = half_sum(v[row]);
    return half_sums;
}

void main()
{
    uint tiles = tiles_of(n), number_of_start = uint(abs(w.start));
    bool has_numbers = shadow_has_numbers(w.start, n);
    FOR_STRIPES(stripe, tiles) {
        scalar_t half_sums[2][SUMS], tile[SUMS];
        for (uint part = 0; part < 2; part++)
            half_sums[part] = start_half(stripe_tile(stripe), part, number_of_start, has_numbers);
        for (uint row = 0; row < SUMS; row++)
            tile[row] = tile_sum(half_sums[0][row], half_sums[1][row]);
        leave_stripe(s, tiles, stripe, stride, tile);
    }
}
