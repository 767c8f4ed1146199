#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/control.glsl"

/* The end of an iteration: counts it, records r . r from its stripe sums, and decides whether the solve continues. One
 * workgroup, which reads a few sums. */
ARGS {
    control c;
    reals   history; /* r . r of each iteration, the first `kept` */
    sums    s;
    uint    n;
    uint    kept;
};

/* After the first iteration, a value that is not finite has grown beyond the range. */
uint state_after(uint k, real rr)
{
    if (!finite(rr))
        return k == 1 ? STATE_NOT_FINITE : STATE_DIVERGED;
    if (rr <= c.stop)
        return STATE_MET;
    if (rr > c.ceiling)
        return STATE_DIVERGED;
    return k >= c.limit ? STATE_LIMIT : STATE_RUNNING;
}

void main()
{
    if (gl_WorkGroupID.x != 0 || !alive(c))
        return;
    real rr = real_part(rest_of_stripes(s, tiles_of(n), 0, 0, 1)[0]);
    if (ME != 0)
        return;
    uint k = c.iteration + 1;
    if (k <= kept)
        history.at[k - 1] = rr;
    c.rr = rr;
    c.iteration = k;
    c.seen = k;
    c.state = state_after(k, rr);
}
