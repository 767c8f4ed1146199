#version 460
#include "kernel.glsl"
#include "exact.glsl"
#include "solver/cg.glsl"

/* p = z + beta p for elements of other processes, whose z has arrived: what cg_direction does with its own, and
 * after it: in an iteration that changes p. Traffic: z and p read, p written: 3n. */
ARGS {
    cg_numbers w;
    reals      z;
    reals      p;
    uint       n;
    uint       before; /* of them come before those of this process, */
    uint       own;    /* which are so many */
};

void main()
{
    if (w.pending != PENDING_STEP)
        return;
    real beta = divide(w.rho, w.rho_old);
    FOR_EACH(i, n) {
        uint at = i < before ? i : i + own;
        p.at[at] = z.at[i] + beta * p.at[at];
    }
}
