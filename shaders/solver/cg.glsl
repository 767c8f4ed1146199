/* The scalars of conjugate gradients, named as in the textbook. They never leave the device.
 *
 * Every workgroup of a kernel itself computes the sums that the previous kernel left (rest_of_...). So no workgroup
 * may read what another one of the same dispatch writes: cg_update reads rho and writes pq, alpha, rho_old;
 * cg_direction reads alpha, rho_old and writes rho, rr. The sums are in three rows: p . q, r . z, r . r. */
#include "solver/control.glsl"
#include "solver/cg.h"

ADDRESS(REAL_BYTES) buffer cg_numbers {
    uint pending; /* PENDING_... */
    uint unused;
    real rho;     /* r . z */
    real pq;      /* p . A p */
    real alpha;   /* the step length, times scale: x += alpha p */
    real rho_old; /* divisor of beta */
};

#ifdef VULKAN
/* The state after iteration k. Requires exact.glsl before. */
uint state_after(control c, uint k, real rho, real rr)
{
    return CG_STATE_AFTER(finite(rr) && finite(rho), k, c.limit, rho, rr, c.stop, c.ceiling);
}
#endif
