#include "kernel.glsl"
#include "algebra.glsl"
#include "exact.glsl"
#include "solver/cg.glsl"

/* Sets the state for cg_update, if r . z and r . r come from outside. One workgroup suffices. */
ARGS {
    control    c;
    cg_numbers w;
    scalars    whole; /* r . z and r . r */
};

void main()
{
    if (gl_WorkGroupID.x != 0 || ME != 0)
        return;
    real rho = real_part(whole.at[0]), rr = real_part(whole.at[1]);
    w.rho = rho;
    w.pending = PENDING_NOTHING;
    c.rr = rr;
    c.state = state_after(c, c.iteration, rho, rr);
}
