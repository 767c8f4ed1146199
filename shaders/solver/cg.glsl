/* The scalars of conjugate gradients, named as in the textbook. They never leave the device.
 *
 * Each kernel works out for itself the sums that the one before left (rest_of_...), in every workgroup. So nothing may
 * be read by some workgroups of a dispatch that another of them writes: cg_update reads rho and writes pq, alpha,
 * rho_old; cg_direction reads alpha, rho_old and writes rho, rr. The sums lie in three rows: p . q, r . z, r . r. */
#include "solver/control.glsl"

ADDRESS(REAL_BYTES) buffer cg_numbers {
    real rho;     /* r . z */
    real pq;      /* p . A p */
    real alpha;   /* the step length, times scale: x += alpha p */
    real rho_old; /* the rho that beta divides by */
    real rr;      /* r . r */
    real stop;    /* the rr that meets the tolerance */
    real ceiling; /* the rr that counts as divergence */
    real scale;   /* a power of two: r is kept divided by it, lest r . r leave the range of a real */
};

/* The state after iteration k. Wants exact.glsl before. */
uint state_after(uint k, real rho, real rr, real stop, real ceiling, uint limit)
{
    if (!finite(rr) || !finite(rho))
        return STATE_NOT_FINITE;
    if (rr <= stop)
        return STATE_MET;
    if (rr > ceiling)
        return STATE_DIVERGED;
    if (rho < real(0))
        return STATE_NOT_POSITIVE;
    if (rho == real(0))
        return STATE_MET; /* r . z has underflowed: a new cycle may scale r anew */
    return k >= limit ? STATE_LIMIT : STATE_RUNNING;
}
