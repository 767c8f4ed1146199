#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/lsmr.glsl"
#include "solver/lsmr_rotation.glsl"
#include "solver/course_state.glsl"

/* The two rotations of an iteration, the estimates of its norms, and
 *   hbar = h - to_hbar hbar     x = x + to_x C hbar     h = v - to_h h     p = C v
 * The v that is read is alpha v. The first step of a cycle sets h = v and hbar = 0.
 * Traffic: v, h, hbar, x and the scales read, h, hbar, x and p written: 9n. */
ARGS {
    control      c;
    lsmr_numbers w;
    real_number  size; /* ||A||_F, of the scaled A */
    scalars      v;
    scalars      h;
    scalars      hbar;
    scalars      p;
    reals        scale;
    scalars      x;
    reals        history; /* r . r of each iteration, the first `kept` */
    sums         s;       /* in rows, `stride` apart */
    uint         n;
    uint         stride;
    uint         kept;
};
CONSTANT(1, first);

void leave(lsmr_scalars next, uint fault)
{
    w.fault = real(fault);
    w.next = next;
    if (fault != LSMR_SOUND)
        return;
    w.normal = next.normal;
    c.rr = next.rr;
    if (first == 0)
        count_iteration(c, history, kept, next.rr);
}

void main()
{
    bool is_alive = alive(c);
    real alpha = square_root(real_part(rest_of_stripes(s, tiles_of(n), LSMR_V * stride, stride, 1)[0]));
    if (!is_alive)
        return;
    real beta = w.beta;
    rotation o;
    if (first != 0)
        o = first_rotation(alpha, beta);
    else
        o = rotated(w.now, alpha, beta);
    o.next.normal = normal_of(o.next, size.value);
    uint fault = fault_of(first, alpha, beta, o);
    if (gl_WorkGroupID.x == 0 && ME == 0)
        leave(o.next, fault);
    if (fault != LSMR_SOUND)
        return;
    real to_v = alpha > real(0) ? divide(real(1), alpha) : real(0), to_x = o.to_x * c.scale;
    FOR_EACH(j, n) {
        scalar_t e = to_v * v.at[j];
        real k = scale.at[j];
        scalar_t b = scalar_t(0), d = e;
        if (first == 0) {
            scalar_t a = h.at[j];
            b = a - o.to_hbar * hbar.at[j];
            d = e - o.to_h * a;
            x.at[j] = x.at[j] + to_x * (k * b);
        }
        hbar.at[j] = b;
        h.at[j] = d;
        p.at[j] = k * e;
    }
}
