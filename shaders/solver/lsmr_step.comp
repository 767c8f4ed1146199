#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/lsmr.glsl"
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

struct factors {
    real to_hbar, to_x, to_h;
};

lsmr_scalars first_scalars(real alpha, real beta)
{
    lsmr_scalars next;
    next.alpha = next.alphabar = alpha;
    next.rho = next.rhobar = next.cbar = next.rhod = real(1);
    next.sbar = next.zeta = next.betad = next.tautilde = next.thetatilde = real(0);
    next.zetabar = alpha * beta;
    next.betadd = beta;
    next.rr = beta * beta;
    return next;
}

real length_of(real a, real b)
{
    return square_root(a * a + b * b);
}

/* Section 5.1, where lambda is 0. */
void estimate_residual(lsmr_scalars now, inout lsmr_scalars next, real cosine, real sine, real thetabar)
{
    real rhotilde = length_of(now.rhod, thetabar);
    real ctilde = divide(now.rhod, rhotilde), stilde = divide(thetabar, rhotilde);
    next.betadd = -(sine * now.betadd);
    next.betad = ctilde * (cosine * now.betadd) - stilde * now.betad;
    next.rhod = ctilde * next.rhobar;
    next.thetatilde = stilde * next.rhobar;
    next.tautilde = divide(now.zeta - now.thetatilde * now.tautilde, rhotilde);
    real tau = divide(next.zeta - next.thetatilde * next.tautilde, next.rhod), e = next.betad - tau;
    next.rr = e * e + next.betadd * next.betadd;
}

/* Section 2.4. */
lsmr_scalars rotated(lsmr_scalars now, real alpha, real beta, out factors f)
{
    lsmr_scalars next;
    real rho = length_of(now.alphabar, beta);
    real cosine = divide(now.alphabar, rho), sine = divide(beta, rho);
    real theta = sine * alpha, thetabar = now.sbar * rho, shorter = now.cbar * rho;
    next.alpha = alpha;
    next.alphabar = cosine * alpha;
    next.rho = rho;
    next.rhobar = length_of(shorter, theta);
    next.cbar = divide(shorter, next.rhobar);
    next.sbar = divide(theta, next.rhobar);
    next.zeta = next.cbar * now.zetabar;
    next.zetabar = -(next.sbar * now.zetabar);
    f.to_hbar = divide(thetabar * rho, now.rho * now.rhobar);
    f.to_x = divide(next.zeta, rho * next.rhobar);
    f.to_h = divide(theta, rho);
    estimate_residual(now, next, cosine, sine, thetabar);
    return next;
}

real normal_of(lsmr_scalars next)
{
    real a = abs(next.zetabar);
    return a > real(0) ? divide(a, size.value * square_root(next.rr)) : real(0);
}

uint fault_of(real alpha, real beta, lsmr_scalars next, factors f)
{
    bool is_finite = finite(alpha) && finite(beta);
    bool has_pivots = first != 0 ? alpha > real(0) : next.rho * next.rhobar > real(0);
    if (is_finite && !has_pivots)
        return LSMR_NO_PIVOT;
    is_finite = is_finite && finite(f.to_hbar) && finite(f.to_x) && finite(f.to_h) && finite(next.rr);
    return is_finite ? LSMR_SOUND : LSMR_NOT_FINITE;
}

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
    factors f = factors(real(0), real(0), real(0));
    lsmr_scalars next;
    if (first != 0)
        next = first_scalars(alpha, beta);
    else
        next = rotated(w.now, alpha, beta, f);
    next.normal = normal_of(next);
    uint fault = fault_of(alpha, beta, next, f);
    if (gl_WorkGroupID.x == 0 && ME == 0)
        leave(next, fault);
    if (fault != LSMR_SOUND)
        return;
    real to_v = alpha > real(0) ? divide(real(1), alpha) : real(0), to_x = f.to_x * c.scale;
    FOR_EACH(j, n) {
        scalar_t e = to_v * v.at[j];
        real k = scale.at[j];
        scalar_t b = scalar_t(0), d = e;
        if (first == 0) {
            scalar_t a = h.at[j];
            b = a - f.to_hbar * hbar.at[j];
            d = e - f.to_h * a;
            x.at[j] = x.at[j] + to_x * (k * b);
        }
        hbar.at[j] = b;
        h.at[j] = d;
        p.at[j] = k * e;
    }
}
