/* The scalars of MINRES, named as in Elman, Silvester and Wathen (2014), algorithm 4.1. They never leave the device.
 *
 * As in cg.glsl, every workgroup of a kernel itself computes the sums that the previous kernel left. So no workgroup
 * may read what another one of the same dispatch writes. Steps alternate between two sets of scalars:
 *   minres_lanczos  reads turn[turn] and the state; writes pending and delta
 *   minres_step     reads pending, delta, share and turn[turn]; writes turn[1 - turn] and the state
 * The first workgroup writes. */
#include "solver/control.glsl"
#include "solver/minres.h"

/* One step: gamma is the norm of v, c and s are the last rotation; names with _old belong to the step before. */
STRUCT(minres_turn) {
    real gamma, gamma_old, c, c_old, s, s_old;
    real eta;  /* the norm of the residual, with a sign */
    real size; /* the largest of (delta, gamma) so far: a bound of M^-1 A from below */
};

ADDRESS(REAL_BYTES) buffer minres_numbers {
    uint pending; /* 1: minres_lanczos has made a vector, and the step of x is pending */
    uint unused;
    real least;  /* ||A r|| below this share of ||A|| ||r|| counts as zero */
    real delta;
    real square; /* v . z of the last Lanczos vector, gamma^2 */
    real slope;  /* ||A r|| / ||r||, in the norm of M^-1 */
    real size;
    real share;  /* r . r / (r . M^-1 r) at the start: factor that turns eta^2 into r . r */
    real marked; /* r . r from which stagnation is counted; 0 before the first */
    real since;  /* products since then */
    minres_turn turn[2];
};
