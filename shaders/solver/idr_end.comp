#define SUMS 5
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/idr.glsl"

/* The end of a cycle: omega = t . r / t . t, longer if the cosine of t and r is small, x = x + omega z, r = r - omega
 * t, and the stripe sums of r . r and of r with the shadow vectors. Traffic: x and r read and written, z, t and the
 * weights read: 6n to 7n. */
ARGS {
    control     c;
    idr_numbers w;
    scalars     x;
    scalars     r;
    scalars     z;
    scalars     t;
    reals       weight;
    sums        s; /* in rows, `stride` apart */
    uint        n;
    uint        stride;
};
CONSTANT(1, weighted);

#include "solver/idr_residual.glsl"

scalar_t omega_of(real tt, scalar_t tr, real rr)
{
    scalar_t omega = divide(tr, tt);
    real cosine = divide(magnitude(tr), square_root(tt) * square_root(rr));
    return cosine < real(IDR_COSINE) ? omega * divide(real(IDR_COSINE), cosine) : omega;
}

void leave(real tt, scalar_t tr, scalar_t omega, bool sound)
{
    bool is_finite = finite(tt) && finite(tr);
    w.omega = omega;
    if (sound) {
        w.fresh = 1;
        return;
    }
    w.pivot = tr;
    w.square = tt;
    w.fault = real(is_finite ? IDR_NO_STEP : IDR_SOUND);
    c.state = is_finite ? STATE_BREAKDOWN : STATE_NOT_FINITE;
}

void main()
{
    bool is_alive = alive(c);
    uint tiles = tiles_of(n), key = shadow_key(w);
    scalar_t total[SUMS] = rest_of_stripes(s, tiles, IDR_MINIMUM * stride, stride, 3);
    scalar_t omega = omega_of(real_part(total[0]), total[1], real_part(total[2]));
    bool sound = finite(omega) && omega != scalar_t(0);
    if (is_alive && gl_WorkGroupID.x == 0 && ME == 0)
        leave(real_part(total[0]), total[1], omega, sound);
    if (!is_alive || !sound)
        return;
    FOR_STRIPES(stripe, tiles) {
        scalar_t half_sums[2][SUMS];
        for (uint part = 0; part < 2; part++) {
            scalar_t e[4];
            for (uint u = 0; u < 4; u++) {
                uint i = half_element(stripe_tile(stripe), part, u);
                e[u] = scalar_t(0);
                if (i < n) {
                    e[u] = r.at[i] - mul(omega, t.at[i]);
                    r.at[i] = e[u];
                    x.at[i] = x.at[i] + mul(omega, z.at[i]);
                }
            }
            half_sums[part] = residual_sums(stripe_tile(stripe), part, e, key);
        }
        leave_residual(stripe, tiles, half_sums);
    }
}
