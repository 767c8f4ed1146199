/* The scalars of GMRES(m). They never leave the device. Only gmres_rotate, which is one workgroup, writes them. */
#include "solver/control.glsl"
#include "solver/gmres.h"

ADDRESS(REAL_BYTES) buffer gmres_numbers {
    uint column;   /* the last column of the basis so far */
    uint combined; /* columns that gmres_next or gmres_add combine into the correction; 0: none */
    real fault;    /* GMRES_... */
    real unit;     /* r . r of the driver, with weights, over r . r of the method */
    real inverse;  /* 1 / the norm of the next column */
    real marked;   /* r . r from which stagnation is counted; 0 before the first */
    real since;    /* iterations since then */
    real next;     /* norm of A v after orthogonalization; `whole`: before it */
    real whole;
};
