/* The scalars of BiCGStab(4). Letters as in Sleijpen and Fokkema (1993). They never leave the device.
 *
 * As in cg.glsl, every workgroup of a kernel itself computes the sums that the previous kernel left. So no workgroup
 * may read what another one of the same dispatch writes:
 *   bicgstab_direction j  reads alpha, omega, least and the previous rho; writes rho[j], ended and the state
 *   bicgstab_step j       reads rho[j]; writes alpha, and least
 *   bicgstab_gram         reads nothing; writes the state
 *   bicgstab_end          reads its sums; writes omega
 * The first workgroup writes. */
#include "solver/control.glsl"
#include "solver/bicgstab.h"

ADDRESS(REAL_BYTES) buffer bicgstab_numbers {
    uint fresh; /* 1: an iteration has been done since r . r was tested */
    uint unused;
    real start;     /* the number of this start, from 1 */
    real fault;     /* BICGSTAB_... */
    scalar_t omega; /* the last coefficient of the polynomial */
    scalar_t alpha;
    real ended;     /* r . r at the last end of a cycle */
    real least;     /* the least `ended`, that of the best y; 0 before the first */
    real marked;    /* r . r from which stagnation is counted; 0 before the first */
    real since;     /* iterations since then */
    scalar_t pivot; /* the number that caused the breakdown */
    scalar_t rho[4];
};
