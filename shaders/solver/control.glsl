/* The state of a solve on the device, which all methods share. */
#ifndef VKS_SOLVER_CONTROL
#define VKS_SOLVER_CONTROL

#include "solver/state.h"

ADDRESS(REAL_BYTES) buffer control {
    uint state;     /* STATE_... */
    uint iteration; /* iterations done */
    uint limit;     /* iterations allowed */
    uint seen;      /* residuals that the method has tested: number of history values */
    real rr;        /* r . r of the last residual, divided by scale^2 */
    real stop;      /* the rr that meets the tolerance */
    real ceiling;   /* the rr that counts as divergence */
    real scale;     /* a power of two that r is divided by, so that r . r stays in the range of a real */
    real ratio;     /* the previous cycle's scale, divided by this one */
};

#ifdef VULKAN
/* A state and an element, in text that is also C (src/host/solver/control.h). */
#define OF(state) state
#define AT(array, i) array.at[i]

/* False once the solve has ended: work beyond the last iteration must change nothing. */
bool alive(control c)
{
    return c.state == STATE_RUNNING;
}

shared uint alive_in_group;

/* The same, with one answer for the whole workgroup, even if the kernel itself may end the solve. Called by the whole
 * workgroup. */
bool alive_together(control c)
{
    if (ME == 0)
        alive_in_group = uint(alive(c));
    barrier();
    return alive_in_group != 0u;
}
#endif
#endif
