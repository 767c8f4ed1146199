#define SUMS 5
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/idr.glsl"
#include "solver/cg.h"

/* Step k of a cycle: the new columns of G and U are made orthogonal to the shadow vectors before k, and then r = r -
 * beta G_k, x = x + beta U_k; the stripe sums of r . r. The last step also computes z = M^-1 r if M is a diagonal.
 * Traffic: k columns of G and of U read, one of each read and written, r and x, and the weights: 8n to 14n, and 2n for
 * z. */
ARGS {
    control     c;
    idr_numbers w;
    scalars     x;
    scalars     r;
    scalars     d; /* 1 / diagonal */
    reals       weight;
    scalars     g; /* 4 columns of n elements */
    scalars     u;
    scalars     z;
    sums        s; /* in rows, `stride` apart */
    uint        n;
    uint        stride;
};
CONSTANT(1, k);
CONSTANT(2, form); /* FORM_... */
CONSTANT(3, weighted);

/* phi, the shadow sums, minus the contributions of the earlier columns: alpha_i before k, column k of m after it. */
scalar_t[IDR_S] column_of(scalar_t total[SUMS])
{
    scalar_t y[IDR_S];
    for (uint i = 0; i < IDR_S; i++) {
        scalar_t z = total[i];
        for (uint j = 0; j < min(i, k); j++)
            z -= mul(w.m[4 * j + i], y[j]);
        y[i] = i < k ? divide(z, w.m[5 * i]) : z;
    }
    return y;
}

bool is_sound(scalar_t pivot, real square)
{
#if REAL == 64
    real rounding = real(IDR_ROUNDING_64);
#else
    real rounding = real(IDR_ROUNDING_32);
#endif
    return magnitude_squared(pivot) > (rounding * rounding) * (square * real(n));
}

void leave(scalar_t y[IDR_S], real square, scalar_t beta, bool sound)
{
    bool is_finite = finite(y[k]) && finite(square);
    w.pivot = y[k];
    w.square = square;
    if (k == 0 && (w.least == real(0) || w.ended < w.least))
        w.least = w.ended;
    if (!sound) {
        w.fault = real(is_finite ? IDR_NO_PIVOT : IDR_SOUND);
        c.state = is_finite ? STATE_BREAKDOWN : STATE_NOT_FINITE;
        return;
    }
    for (uint i = k; i < IDR_S; i++) {
        w.m[4 * k + i] = y[i];
        if (i > k)
            w.f[i] = w.f[i] - mul(beta, y[i]);
    }
    w.fresh = 1;
}

/* Computes the new elements of four rows; returns their terms of r . r. */
scalar_t step_half(uint tile, uint part, scalar_t y[IDR_S], scalar_t beta, scalar_t same)
{
    scalar_t v[4];
    for (uint t = 0; t < 4; t++) {
        uint i = half_element(tile, part, t);
        v[t] = scalar_t(0);
        if (i >= n)
            continue;
        scalar_t a = g.at[k * n + i], b = u.at[k * n + i];
        for (uint j = 0; j < k; j++) {
            a -= mul(y[j], g.at[j * n + i]);
            b -= mul(y[j], u.at[j * n + i]);
        }
        scalar_t e = r.at[i] - mul(beta, a);
        g.at[k * n + i] = a;
        u.at[k * n + i] = b;
        x.at[i] = x.at[i] + mul(beta, b);
        r.at[i] = e;
        if (k == idr_directions(n) - 1u && form != FORM_GIVEN)
            z.at[i] = form == FORM_EACH ? mul(d.at[i], e) : form == FORM_ONE ? mul(same, e) : e;
        scalar_t scaled = weighted != 0 ? weight.at[i] * e : e;
        v[t] = mul(conj(scaled), scaled);
    }
    return half_sum(v);
}

void main()
{
    bool is_alive = alive(c);
    uint tiles = tiles_of(n);
    scalar_t fk = w.f[k], same = form == FORM_ONE ? d.at[0] : scalar_of(real(1));
    scalar_t total[SUMS] = rest_of_stripes(s, tiles, IDR_SHADOW * stride, stride, SUMS);
    scalar_t y[IDR_S] = column_of(total);
    real square = real_part(total[IDR_S]);
    bool sound = finite(y[k]) && finite(square) && is_sound(y[k], square);
    scalar_t beta = divide(fk, y[k]);
    if (is_alive && gl_WorkGroupID.x == 0 && ME == 0)
        leave(y, square, beta, sound);
    if (!is_alive || !sound)
        return;
    FOR_STRIPES(stripe, tiles) {
        scalar_t half_sums[2];
        for (uint part = 0; part < 2; part++)
            half_sums[part] = step_half(stripe_tile(stripe), part, y, beta, same);
        scalar_t tile[SUMS];
        tile[0] = tile_sum(half_sums[0], half_sums[1]);
        leave_rows(s, tiles, stripe, stride, tile, 1);
    }
}
