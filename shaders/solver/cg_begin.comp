#version 460
#include "kernel.glsl"
#include "exact.glsl"
#include "solver/cg.glsl"

/* The state from which cg_update goes on, where r . z and r . r come from outside. One workgroup is enough. */
ARGS {
    control    c;
    cg_numbers w;
    reals      whole; /* r . z and r . r */
};

void main()
{
    if (gl_WorkGroupID.x != 0 || ME != 0)
        return;
    real rho = whole.at[0], rr = whole.at[1];
    w.rho = rho;
    w.pending = PENDING_NOTHING;
    c.rr = rr;
    c.state = state_after(c, c.iteration, rho, rr);
}
