/* Direct solution of sparse systems on the host: LU factors by UMFPACK, and iterative refinement. The factors
 * are kept for any number of right-hand sides. */
#ifndef VKS_DIRECT_DIRECT_H
#define VKS_DIRECT_DIRECT_H

#include "direct/lu.h"

struct direct_report {
    vks_reason reason;    /* CONVERGED: x is a solution, refined as far as possible; SINGULAR; NOT_FINITE;
                             NOT_RUN: factored, but not solved yet */
    char detail[256];     /* the reason for a missing solution; else "" */
    char warning[256];    /* a warning that A is or may be singular; else "" */
    uint32_t row;         /* the row of a non-finite value, from 0; else UINT32_MAX */
    uint32_t refinements; /* steps that improved x */
    double residual;      /* ||b - A x|| / ||b|| in doubles, 0 / 0 = 0; NaN: no x */
    double reciprocal_condition; /* UMFPACK's rough estimate: the least pivot over the largest; NaN: none */
    uint32_t zero_pivots;
    double fill; /* entries of both factors over entries of A; NaN: no factors */
    double seconds_factors, seconds_solve;
};

struct direct {
    const struct host_csr *a;
    struct lu lu;
    struct direct_report of_factors; /* NOT_FINITE: A cannot be factored; NOT_RUN: A is factored */
};

/* Analyses a square A, which must exist until direct_close; its values may change. Overwrites *d.
 * d->lu.promised holds the expected cost of factors. Call direct_close even after a failure.
 *
 * VKS_UNSUPPORTED: UMFPACK is missing; VKS_OUT_OF_MEMORY; VKS_LIMIT: UMFPACK cannot order A for another
 * reason. */
vks_status direct_open(struct message *m, const struct host_csr *a, struct direct *d);
/* Factors the present values of A. d->of_factors reports non-finite values. After VKS_OUT_OF_MEMORY or
 * VKS_LIMIT there are no factors; the caller may try again. */
vks_status direct_factor(struct message *m, struct direct *d);
/* Solves A x = b with these factors. b and x have a->rows elements and do not overlap; x is undefined unless
 * the reason is CONVERGED. The pivots, and thus the last bits of x, depend on the versions of UMFPACK and its
 * BLAS.
 *
 * Refinement continues while a step halves the residual, for at most ten steps; Higham, "Accuracy and
 * Stability of Numerical Algorithms", 2nd edition, section 12.1. SINGULAR: the residual of x is 0.1 or more,
 * so A is singular, exactly or up to rounding. If a singular A is consistent with b, and its zero pivots
 * belong to unknowns on which no other depends, x is one of many solutions. VKS_OUT_OF_MEMORY, VKS_LIMIT. */
vks_status direct_apply(struct message *m, struct direct *d, const double *b, double *x,
                        struct direct_report *out);
void direct_close(struct direct *d);

/* Solves one system: all four steps in one call. */
vks_status direct_solve(struct message *m, const struct host_csr *a, const double *b, double *x,
                        struct direct_report *out);

#endif
