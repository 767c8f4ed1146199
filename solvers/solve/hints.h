/* Derives hints from the outcome of a solve. */
#ifndef VKS_SOLVERS_SOLVE_HINTS_H
#define VKS_SOLVERS_SOLVE_HINTS_H

#include "vksolve/report.h"

/* Facts about a solve that has ended. */
enum {
    X_IN_F32 = 1 << 0,
    ITERATED_IN_F32 = 1 << 1, /* for an x in f64 */
    IN_PAIRS = 1 << 2,
    TOLERANCE_REACHED = 1 << 3, /* a tolerance below 1 was reached */
    AUTOMATIC = 1 << 4,
    NAMED = 1 << 5, /* the automatic method could replace the named one */
    BY_CG = 1 << 6,
    LIMITED = 1 << 7,          /* by the caller's limit of iterations */
    AT_ROUNDING = 1 << 8,      /* the residual is at rounding level */
    NO_SOLUTION = 1 << 9,      /* A x = b was proved to have none */
    SINGULAR_ITSELF = 1 << 10, /* reason SINGULAR refers to A, not to one of its blocks */
    ELIMINATED = 1 << 11,      /* a direct method was among the attempts */
    NO_MEMORY = 1 << 12,       /* an attempt was left out for lack of memory */
    NULL_SPACE = 1 << 13,      /* A was declared singular */
    NOT_SYMMETRIC = 1 << 14,   /* A is known not to be symmetric */
};

/* Returns the hints as bits of vks_hint. */
unsigned hints_of(vks_reason reason, unsigned facts);

#endif
