/* Which hints follow from the end of a solve. */
#ifndef VKS_SOLVERS_SOLVE_HINTS_H
#define VKS_SOLVERS_SOLVE_HINTS_H

#include "vksolve/report.h"

/* Facts about a solve that has ended. */
enum {
    X_IN_F32 = 1 << 0,
    ITERATED_IN_F32 = 1 << 1, /* for an x in f64 */
    IN_PAIRS = 1 << 2,
    TOLERANCE_REACHED = 1 << 3, /* a tolerance below 1 has been reached */
    AUTOMATIC = 1 << 4,
    NAMED = 1 << 5, /* the automatic method may stand in place of the one that was named */
    BY_CG = 1 << 6,
    LIMITED = 1 << 7,          /* by the caller's number of iterations */
    AT_ROUNDING = 1 << 8,      /* the residual is at the level of its rounding */
    NO_SOLUTION = 1 << 9,      /* it is proved that A x = b has none */
    SINGULAR_ITSELF = 1 << 10, /* a reason SINGULAR is of A, not of a block of it */
    ELIMINATED = 1 << 11,      /* a direct method was among the attempts */
    NO_MEMORY = 1 << 12,       /* an attempt was left out for want of memory */
    NULL_SPACE = 1 << 13,      /* A was said to be singular */
    NOT_SYMMETRIC = 1 << 14,   /* it is known not to be symmetric */
};

/* The hints, as bits of vks_hint. */
unsigned hints_of(vks_reason reason, unsigned facts);

#endif
