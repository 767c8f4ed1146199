#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/cg.glsl"

/* rho' = r . z, beta = rho' / rho, x = x + alpha p, p = M^-1 r + beta p, and the stopping test. The step of x is taken
 * here, where p is read anyway: also in the iteration that ends the solve, which is why `pending` and not the
 * state decides.
 * Traffic: x, p, r and d read, x and p written: 6n (5n without a preconditioner). */
ARGS {
    control    c;
    cg_numbers w;
    reals      x;
    reals      p;
    reals      r;
    reals      d; /* 1 / diagonal, where jacobi is 1 */
    reals      history; /* r . r of each iteration, the first `kept` */
    sums       s; /* in rows, `stride` apart */
    uint       n;
    uint       stride;
    uint       jacobi;
    uint       kept;
};

void finish(real rho, real rr)
{
    uint k = c.iteration + 1;
    if (k <= kept)
        history.at[k - 1] = rr;
    w.rho = rho;
    w.rr = rr;
    c.iteration = k;
    if (!finite(rr) || !finite(rho))
        c.state = STATE_NOT_FINITE;
    else if (rr <= w.stop)
        c.state = STATE_MET;
    else if (rr > w.ceiling)
        c.state = STATE_DIVERGED;
    else if (rho <= real(0))
        c.state = STATE_NOT_POSITIVE;
    else if (k >= c.limit)
        c.state = STATE_LIMIT;
}

void main()
{
    if (c.pending == 0)
        return;
    uint tiles = tiles_of(n);
    real rho = sum_rest(s, tiles, stride), rr = real(0);
    if (gl_WorkGroupID.x == 0)
        rr = sum_rest(s, tiles, 2 * stride);
    real alpha = w.alpha, beta = divide(rho, w.rho_old);
    FOR_EACH(i, n) {
        real pi = p.at[i], ri = r.at[i];
        real z = jacobi != 0 ? d.at[i] * ri : ri;
        x.at[i] = x.at[i] + alpha * pi;
        p.at[i] = z + beta * pi;
    }
    if (gl_WorkGroupID.x == 0 && ME == 0)
        finish(rho, rr);
}
