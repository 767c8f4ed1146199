/* The scalars of LSMR. Letters as in Fong and Saunders (2011); a d stands for a dot of theirs, a tilde is spelt out. They
 * never leave the device.
 *
 * As in cg.glsl each kernel works out for itself, in every workgroup, the sums that the one before left. So nothing may
 * be read by some workgroups of a dispatch that another of them writes:
 *   lsmr_left   reads next, and of c all but the state; writes now and the state
 *   lsmr_right  reads now; writes beta
 *   lsmr_step   reads now and beta; writes next, and of c the count and r . r
 * The first workgroup writes. lsmr_left decides whether the solve goes on, from what lsmr_step has left: all of its
 * workgroups come to the same decision, before anything is changed. So what has ended may go on with other goals. */
#include "solver/control.glsl"
#include "solver/lsmr.h"

struct lsmr_scalars {
    real alpha;
    real rho;
    real rhobar;
    real alphabar;
    real cbar;
    real sbar;
    real zeta;
    real zetabar;
    /* of the norm of r, section 5.1: */
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
    real goal;   /* the normal that ends the solve */
    real normal; /* as it was last */
    real fault;  /* LSMR_... */
    real beta;
    lsmr_scalars now;
    lsmr_scalars next;
};
