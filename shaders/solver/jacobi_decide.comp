#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/jacobi.glsl"

/* Decides, from the sums of jacobi_check, whether and how the solve ends, or else how many iterations the next sweep
 * has (w.pending: fewer near the limit). One workgroup, since others would read its results. It is a kernel of its own
 * so that iterations between two checks need not add up sums. */
ARGS {
    control        c;
    jacobi_numbers w;
    reals          history; /* r . r of each check except the initial one, the first `kept` */
    sums           s;
    uint           n;
    uint           kept;
};

/* Records rr, w.pending iterations after the last check. */
void note(real rr)
{
    if (w.old == real(0)) { /* the first check */
        w.older = w.old = w.least = rr;
        w.age = w.span = w.calm = w.growing = real(0);
        return;
    }
    if (w.pending == 0) /* only the goal is new */
        return;
    w.growing = rr > c.rr ? w.growing + real(1) : real(0);
    w.calm = rr < w.least ? real(0) : w.calm + real(1);
    w.least = rr < w.least ? rr : w.least;
    if (w.age == real(JACOBI_ANCHOR)) {
        w.older = w.old;
        w.old = c.rr; /* of the last check */
        w.age = real(0);
        w.span = real(JACOBI_ANCHOR * JACOBI_SWEEP);
    }
    w.age = w.age + real(1);
    w.span = w.span + real(w.pending);
}

uint state_after(real rr)
{
    if (!finite(rr)) /* after the start, this is growth beyond the range */
        return c.iteration == 0 ? STATE_NOT_FINITE : STATE_DIVERGED;
    if (rr <= c.stop)
        return STATE_MET;
    if (rr > c.ceiling || w.growing >= real(JACOBI_GROWING))
        return STATE_DIVERGED;
    if (w.calm >= real(JACOBI_CALM) && rr <= real(JACOBI_HUMP) * w.least)
        return STATE_STAGNATED;
    return c.iteration >= c.limit ? STATE_LIMIT : STATE_RUNNING;
}

void main()
{
    if (gl_WorkGroupID.x != 0 || !alive(c))
        return;
    real rr = real_part(rest_of_stripes(s, tiles_of(n), 0, 0, 1)[0]);
    if (ME != 0)
        return;
    uint k = groups_of(c.iteration, JACOBI_SWEEP);
    if (k > 0 && k <= kept)
        history.at[k - 1] = rr;
    note(rr);
    c.rr = rr;
    c.state = state_after(rr);
    c.seen = k;
    w.pending = c.state == STATE_RUNNING ? min(JACOBI_SWEEP, c.limit - c.iteration) : 0;
    c.iteration += w.pending;
}
