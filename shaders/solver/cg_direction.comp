#version 460
#include "kernel.glsl"
#include "solver/cg.glsl"

/* x = x + alpha p, p = M^-1 r + beta p. The step of x is taken here, where p is read anyway: also in the iteration
 * that ended the solve, which is why `pending` and not the state decides.
 * Traffic: x, p, r and d read, x and p written: 6n (5n without a preconditioner). */
ARGS {
    control    c;
    cg_numbers w;
    reals      x;
    reals      p;
    reals      r;
    reals      d; /* 1 / diagonal, where jacobi is 1 */
    uint       n;
    uint       jacobi;
};

void main()
{
    if (c.pending == 0)
        return;
    real alpha = w.alpha, beta = w.beta;
    FOR_EACH(i, n) {
        real pi = p.at[i], ri = r.at[i];
        real z = jacobi != 0 ? d.at[i] * ri : ri;
        x.at[i] = x.at[i] + alpha * pi;
        p.at[i] = z + beta * pi;
    }
}
