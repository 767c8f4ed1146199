/* The scalars of conjugate gradients, named as in the textbook. They never leave the device. */
#include "solver/control.glsl"

ADDRESS(REAL_BYTES) buffer cg_numbers {
    real rho;     /* r . z */
    real pq;      /* p . A p */
    real alpha;   /* the step length, times scale: x += alpha p */
    real beta;
    real rr;      /* r . r */
    real stop;    /* the rr that meets the tolerance */
    real ceiling; /* the rr that counts as divergence */
    real scale;   /* a power of two: r is kept divided by it, lest r . r leave the range of a real */
};
