#version 460
#include "kernel.glsl"
#include "exact.glsl"
#include "sum.glsl"
#include "solver/cg.glsl"

/* The state from which cg_update goes on, where the whole sums of r . z and r . r have come from outside, to the
 * beginning of their rows. One workgroup is enough. */
ARGS {
    control    c;
    cg_numbers w;
    sums       s; /* in rows, `stride` apart */
    uint       stride;
};

void main()
{
    if (gl_WorkGroupID.x != 0 || ME != 0)
        return;
    real rho = s.at[stride], rr = s.at[2 * stride];
    w.rho = rho;
    w.pending = PENDING_NOTHING;
    c.rr = rr;
    c.state = state_after(c, c.iteration, rho, rr);
}
