#version 460
#define SUMS 2
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
    else if (rho < real(0))
        c.state = STATE_NOT_POSITIVE;
    else if (rho == real(0))
        c.state = STATE_MET; /* r . z has underflowed: a new cycle may scale r anew */
    else if (k >= c.limit)
        c.state = STATE_LIMIT;
}

struct element {
    real x, p, r, d;
};

element element_at(uint i)
{
    if (i >= n)
        return element(real(0), real(0), real(0), real(0));
    return element(x.at[i], p.at[i], r.at[i], jacobi != 0 ? d.at[i] : real(1));
}

void main()
{
    uint i = gl_WorkGroupID.x * 256u + ME, tiles = tiles_of(n);
    uint pending = c.pending; /* all loads are under way before the first result is needed */
    real alpha = w.alpha, rho_old = w.rho_old;
    element e = element_at(i);
    real total[2] = sum_rest(s, tiles, stride, stride, gl_WorkGroupID.x == 0 ? 2 : 1);
    if (pending != PENDING_STEP) {
        if (pending == PENDING_BREAKDOWN && gl_WorkGroupID.x == 0 && ME == 0)
            c.state = finite(w.pq) ? STATE_NOT_POSITIVE : STATE_NOT_FINITE;
        return;
    }
    real beta = divide(total[0], rho_old);
    while (i < n) {
        uint next = i + gl_NumWorkGroups.x * 256u;
        element following = element_at(next);
        real z = jacobi != 0 ? e.d * e.r : e.r;
        x.at[i] = e.x + alpha * e.p;
        p.at[i] = z + beta * e.p;
        i = next;
        e = following;
    }
    if (gl_WorkGroupID.x == 0 && ME == 0)
        finish(total[0], total[1]);
}
