/* The scalars of the Jacobi iteration. jacobi_decide alone writes them. */
#include "solver/control.glsl"
#include "solver/jacobi.h"

ADDRESS(REAL_BYTES) buffer jacobi_numbers {
    uint pending; /* iterations of the current sweep */
    uint unused;
    real older;   /* r . r some checks ago: the one before `old`, if there are two */
    real old;     /* r . r some checks ago; 0 before the first check */
    real age;     /* checks since `old` */
    real span;    /* iterations since `older` */
    real weight;  /* w */
    real least;   /* the smallest rr so far */
    real calm;    /* checks since `least` */
    real growing; /* checks in a row in which rr has grown */
};
