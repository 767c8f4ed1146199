#define SUMS 15
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/bicgstab.glsl"

/* The end of a cycle: q minimizes ||r - sum q_i r_i||, 1 <= i <= 4; y = y + sum q_i r_i-1, r = r - sum q_i r_i,
 * u_0 = u_0 - sum q_i u_i, and omega = q_4. Leaves the stripe sums of r~ . r and r . r.
 * Traffic: five columns each of r and u, y, r~ and the weights read, r, u_0 and y written: 15n to 16n. */
ARGS {
    control          c;
    bicgstab_numbers w;
    scalars          r;
    scalars          rest; /* r_1 to r_4: columns of n */
    scalars          u;    /* u_0 to u_4 */
    scalars          y;
    scalars          shadow;
    reals            weight;
    sums             s; /* in rows, `stride` apart */
    uint             n;
    uint             stride;
};
CONSTANT(1, weighted);

/* Solves the normal equations by L D L^T. A column that depends on earlier ones has the coefficient 0. */
scalar_t[BICGSTAB_L] least_squares(scalar_t g[SUMS])
{
#if REAL == 64
    real rounding = real(BICGSTAB_ROUNDING_64);
#else
    real rounding = real(BICGSTAB_ROUNDING_32);
#endif
    scalar_t l[BICGSTAB_L][BICGSTAB_L];
    real d[BICGSTAB_L];
    scalar_t q[BICGSTAB_L];
    for (uint i = 0; i < BICGSTAB_L; i++) {
        real square = real_part(g[BICGSTAB_PLACE(i + 1u, i + 1u)]), pivot = square;
        scalar_t right = conj(g[i + 1u]), row[BICGSTAB_L];
        for (uint j = 0; j < i; j++) {
            scalar_t e = conj(g[BICGSTAB_PLACE(j + 1u, i + 1u)]);
            for (uint k = 0; k < j; k++)
                e -= mul(row[k], conj(l[j][k]));
            row[j] = e;
            l[i][j] = d[j] != real(0) ? divide(e, d[j]) : scalar_t(0);
            pivot -= real_part(mul(e, conj(l[i][j])));
            right -= mul(l[i][j], q[j]);
        }
        d[i] = pivot > rounding * square ? pivot : real(0);
        q[i] = d[i] != real(0) ? right : scalar_t(0);
    }
    for (uint step = 0; step < BICGSTAB_L; step++) {
        uint i = BICGSTAB_L - 1u - step;
        scalar_t e = d[i] != real(0) ? divide(q[i], d[i]) : scalar_t(0);
        for (uint k = i + 1u; k < BICGSTAB_L; k++)
            e -= d[i] != real(0) ? mul(conj(l[k][i]), q[k]) : scalar_t(0);
        q[i] = e;
    }
    return q;
}

scalar_t[2] end_half(uint tile, uint part, scalar_t q[BICGSTAB_L])
{
    scalar_t v[2][4];
    for (uint t = 0; t < 4; t++) {
        uint i = half_element(tile, part, t);
        v[0][t] = v[1][t] = scalar_t(0);
        if (i >= n)
            continue;
        scalar_t e = r.at[i], b = u.at[i], a = y.at[i], before = e;
        for (uint k = 0; k < BICGSTAB_L; k++) {
            scalar_t next = rest.at[k * n + i];
            a += mul(q[k], before);
            e -= mul(q[k], next);
            b -= mul(q[k], u.at[(k + 1u) * n + i]);
            before = next;
        }
        r.at[i] = e;
        u.at[i] = b;
        y.at[i] = a;
        scalar_t scaled = weighted != 0 ? weight.at[i] * e : e;
        v[BICGSTAB_RHO][t] = mul(conj(shadow.at[i]), e);
        v[BICGSTAB_RR][t] = mul(conj(scaled), scaled);
    }
    return scalar_t[2](half_sum(v[0]), half_sum(v[1]));
}

void main()
{
    bool is_alive = alive(c);
    uint tiles = tiles_of(n);
    scalar_t total[SUMS] = rest_of_stripes(s, tiles, BICGSTAB_GRAM * stride, stride, SUMS);
    scalar_t q[BICGSTAB_L] = least_squares(total);
    bool sound = finite(q[0]) && finite(q[1]) && finite(q[2]) && finite(q[3]);
    if (is_alive && gl_WorkGroupID.x == 0 && ME == 0) {
        w.omega = q[BICGSTAB_L - 1u];
        w.fresh = uint(sound);
        if (!sound)
            c.state = STATE_NOT_FINITE;
    }
    if (!is_alive || !sound)
        return;
    FOR_STRIPES(stripe, tiles) {
        scalar_t half_sums[2][2], tile[SUMS];
        for (uint part = 0; part < 2; part++)
            half_sums[part] = end_half(stripe_tile(stripe), part, q);
        for (uint row = 0; row < 2; row++)
            tile[row] = tile_sum(half_sums[0][row], half_sums[1][row]);
        leave_rows(s, tiles, stripe, stride, tile, 2);
    }
}
