/* The scalars of GMRES(m). They never leave the device. gmres_rotate, which is one workgroup, writes them, and the others
 * read them. */
#include "solver/control.glsl"
#include "solver/gmres.h"

ADDRESS(REAL_BYTES) buffer gmres_numbers {
    uint column;   /* of the basis: the last one that is there */
    uint combined; /* columns that gmres_next or gmres_add combine into the correction; 0: none */
    real fault;    /* GMRES_... */
    real unit;     /* r . r as the driver has it, over that of the method: the weights make the difference */
    real inverse;  /* 1 / the norm of the next column */
    real marked;   /* r . r from which stagnation is counted; 0 before the first */
    real since;    /* iterations since then */
    real next;     /* the norm of what orthogonalization has left of A v, and of A v, whole */
    real whole;
};
