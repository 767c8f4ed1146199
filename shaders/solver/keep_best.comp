#include "each.glsl"
#include "exact.glsl"
#include "solver/control.glsl"

/* x = best, if the iterations have ended without meeting their goal, and at a larger r . r than `best` has. Traffic: 2n
 * if so. */
ARGS {
    control c;
    number  least; /* r . r of `best` */
    reals   best;
    reals   x;
    uint    n;
};

void main()
{
    if (c.state == STATE_MET || (finite(c.rr) && c.rr <= least.value))
        return;
    FOR_EACH(i, n)
        x.at[i] = best.at[i];
}
