#define SUMS 5
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/idr.glsl"
#include "solver/course_state.glsl"

/* Direction k of a cycle: c solves the lower triangle of m from k on, v = r - sum c_i G_i, and U_k = omega M^-1 v + sum
 * c_i U_i, i >= k. If M is not diagonal only v is stored, and idr_combine does the rest. Also updates the state from
 * the residual of the previous kernel; the first direction saves the x of the best cycle end. Traffic: r, d, 4 - k
 * columns of G and as many of U read, U_k written: 11n for k = 0 to 5n for k = 3 (only G and v: 6n to 3n), and 2n if x
 * is the best. */
ARGS {
    control     c;
    idr_numbers w;
    scalars     r;
    scalars     d; /* 1 / diagonal */
    scalars     g; /* 4 columns of n elements */
    scalars     u;
    scalars     v;
    scalars     x;
    scalars     best;
    reals       history; /* r . r of each product, the first `kept` */
    sums        s;       /* in rows, `stride` apart */
    uint        n;
    uint        stride;
    uint        kept;
};
CONSTANT(1, k);
CONSTANT(2, form); /* FORM_... */

#include "solver/cg.h"
#include "solver/idr_decide.glsl"

/* Computes c_i, i >= k, from f and the lower triangle of m. */
scalar_t[IDR_S] solve_below(scalar_t f[IDR_S])
{
    scalar_t y[IDR_S];
    for (uint i = 0; i < IDR_S; i++) {
        scalar_t z = f[i];
        for (uint j = k; j < i; j++)
            z -= mul(w.m[4 * j + i], y[j]);
        y[i] = i < k ? scalar_t(0) : divide(z, w.m[5 * i]);
    }
    return y;
}

void leave(scalar_t total[SUMS], scalar_t y[IDR_S])
{
    for (uint i = 0; i < IDR_S; i++) {
        w.c[i] = y[i];
        if (k == 0)
            w.f[i] = total[IDR_SHADOW + i];
    }
    if (k == 0)
        w.ended = real_part(total[IDR_RR]);
    decide(real_part(total[IDR_RR]));
}

void main()
{
    bool is_first = gl_WorkGroupID.x == 0, is_alive = alive(c);
    scalar_t omega = w.omega;
    real least = w.least;
    scalar_t total[SUMS] = rest_of_stripes(s, tiles_of(n), 0, stride, k == 0 ? SUMS : is_first ? 1 : 0);
    if (!is_alive)
        return;
    scalar_t f[IDR_S];
    for (uint i = 0; i < IDR_S; i++)
        f[i] = k == 0 ? total[IDR_SHADOW + i] : w.f[i];
    scalar_t y[IDR_S] = solve_below(f);
    scalar_t same = form == FORM_ONE ? d.at[0] : scalar_of(real(1));
    bool is_best = k == 0 && (least == real(0) || real_part(total[IDR_RR]) < least);
    FOR_EACH(i, n) {
        scalar_t a = r.at[i], b = scalar_t(0);
        for (uint j = k; j < IDR_S; j++)
            a -= mul(y[j], g.at[j * n + i]);
        if (form == FORM_GIVEN) {
            v.at[i] = a;
        } else {
            b = mul(omega, form == FORM_EACH ? mul(d.at[i], a) : form == FORM_ONE ? mul(same, a) : a);
            for (uint j = k; j < IDR_S; j++)
                b += mul(y[j], u.at[j * n + i]);
            u.at[k * n + i] = b;
        }
        if (is_best)
            best.at[i] = x.at[i];
    }
    if (is_first && ME == 0)
        leave(total, y);
}
