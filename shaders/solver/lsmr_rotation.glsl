/* The two rotations of an iteration of LSMR, and the estimates of its norms. Requires exact.glsl and lsmr.glsl before,
 * or in C host/solver/control.h. */

/* The scalars of the next iteration, and the factors of its vectors. */
STRUCT(rotation) {
    lsmr_scalars next;
    real to_hbar, to_x, to_h;
};

INLINE rotation first_rotation(real alpha, real beta)
{
    rotation o;
    o.to_hbar = o.to_x = o.to_h = real(0);
    o.next.alpha = o.next.alphabar = alpha;
    o.next.rho = o.next.rhobar = o.next.cbar = o.next.rhod = real(1);
    o.next.sbar = o.next.zeta = o.next.betad = o.next.tautilde = o.next.thetatilde = real(0);
    o.next.zetabar = alpha * beta;
    o.next.betadd = beta;
    o.next.rr = beta * beta;
    o.next.normal = real(0);
    return o;
}

INLINE real length_of(real a, real b)
{
    return square_root(a * a + b * b);
}

/* Section 5.1, where lambda is 0. */
INLINE lsmr_scalars with_residual(lsmr_scalars next, lsmr_scalars now, real cosine, real sine, real thetabar)
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
    return next;
}

/* Section 2.4. */
INLINE rotation rotated(lsmr_scalars now, real alpha, real beta)
{
    rotation o;
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
    next.normal = real(0);
    next.betadd = next.betad = next.rhod = next.thetatilde = next.tautilde = next.rr = real(0);
    o.to_hbar = divide(thetabar * rho, now.rho * now.rhobar);
    o.to_x = divide(next.zeta, rho * next.rhobar);
    o.to_h = divide(theta, rho);
    o.next = with_residual(next, now, cosine, sine, thetabar);
    return o;
}

/* `size` is ||A||_F. */
INLINE real normal_of(lsmr_scalars next, real size)
{
    real a = next.zetabar < real(0) ? -next.zetabar : next.zetabar;
    return a > real(0) ? divide(a, size * square_root(next.rr)) : real(0);
}

INLINE uint fault_of(uint is_first, real alpha, real beta, rotation o)
{
    bool is_finite = finite(alpha) && finite(beta);
    bool has_pivots = is_first != 0 ? alpha > real(0) : o.next.rho * o.next.rhobar > real(0);
    if (is_finite && !has_pivots)
        return LSMR_NO_PIVOT;
    is_finite = is_finite && finite(o.to_hbar) && finite(o.to_x) && finite(o.to_h) && finite(o.next.rr);
    return is_finite ? LSMR_SOUND : LSMR_NOT_FINITE;
}
