#include "each.glsl"
#include "exact.glsl"
#include "solver/cg.glsl"

/* p = z + beta p for elements of other processes, whose z has arrived. Runs after cg_direction, which does the same
 * for own elements, in iterations that change p. Traffic: z and p read, p written: 3n. */
ARGS {
    cg_numbers w;
    reals      z;
    reals      p;
    uint       n;
    uint       before; /* number of elements before those of this process, and */
    uint       own;    /* number of its own */
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
