/* What all kernels of an iterative method share on the device. */
#include "solver/state.h"

ADDRESS(4) buffer control {
    uint state;     /* STATE_... */
    uint iteration; /* iterations done */
    uint limit;     /* iterations allowed */
    uint pending;   /* cg: PENDING_...; jacobi: iterations of the sweep under way */
};

/* False once the solve has ended: what was submitted beyond the last iteration must change nothing. */
bool alive(control c)
{
    return c.state == STATE_RUNNING;
}
