/* The scalars of LSMR. The notation is that of Fong and Saunders (2011); d stands for a dot, a tilde is spelt out. They
 * never leave the device.
 *
 * As in cg.glsl, every workgroup of a kernel itself computes the sums that the previous kernel left. So no workgroup
 * may read what another one of the same dispatch writes:
 *   lsmr_left   reads next, and c except the state; writes now and the state
 *   lsmr_right  reads now; writes beta
 *   lsmr_step   reads now and beta; writes next, and the count and r . r in c
 * The first workgroup writes. lsmr_left decides whether the solve continues, from the output of lsmr_step: all of its
 * workgroups make the same decision, before anything is changed. So an ended solve can continue with other goals. */
#include "solver/control.glsl"
#include "solver/lsmr.h"

STRUCT(lsmr_scalars) {
    real alpha;
    real rho;
    real rhobar;
    real alphabar;
    real cbar;
    real sbar;
    real zeta;
    real zetabar;
    /* for the norm of r, section 5.1: */
    real betadd;
    real betad;
    real rhod;
    real tautilde;
    real thetatilde;
    real rr;     /* r . r */
    real normal; /* ||A^T r|| / (||A||_F ||r||), of the scaled A */
};

ADDRESS(REAL_BYTES) buffer lsmr_numbers {
    uint unused[2];
    real goal;   /* the value of `normal` that ends the solve */
    real normal; /* the last value of `normal` */
    real fault;  /* LSMR_... */
    real beta;
    lsmr_scalars now;
    lsmr_scalars next;
};
