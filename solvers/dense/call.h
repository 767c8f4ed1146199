/* Common part of solving and inverting by Gauss-Jordan elimination. */
#ifndef VKS_SOLVERS_DENSE_CALL_H
#define VKS_SOLVERS_DENSE_CALL_H

#include "solvers/dense/elimination.h"

#include <float.h>
#include <math.h>

/* The arguments of a call, with the defaults filled in. */
struct gauss_jordan {
    vks_context *context;
    vks_gauss_jordan_options options;
    vks_gauss_jordan_report *report;
    struct block A;
    vks_precision precision;
};

/* Half a unit in the last place of 1. */
static inline double unit_roundoff(vks_precision p)
{
    return scalar_types[precision_of(p)].roundoff;
}

/* Whether a solve needs the estimate, which costs some extra products: on request, for a small matrix, or to
 * explain a failed refinement. */
static inline bool wants_condition(const struct gauss_jordan *g)
{
    bool unasked = g->A.rows <= VKS_GAUSS_JORDAN_SMALL || g->report->reason == VKS_REASON_STAGNATED;
    return g->options.condition || (unasked && !g->options.no_condition);
}

/* Replaces a norm of A that left the range of its precision by the largest number: derived results are then
 * too small by a factor of at most the order of A. */
static inline double ordinary_norm(vks_precision p, double norm)
{
    return isinf(norm) ? scalar_types[precision_of(p)].largest : norm;
}

/* Returns r / (A x + b), even if the product leaves the range of doubles. */
static inline double relative_to_system(double r, double A, double x, double b)
{
    double size = A * x + b;
    return isinf(size) ? r / A / (x + b / A) : r / size;
}

static inline bool has_solution(const vks_gauss_jordan_report *r)
{
    return r->reason == VKS_REASON_CONVERGED || r->reason == VKS_REASON_STAGNATED;
}

/* Inverts g->A. The report says whether there is an inverse; if not, `inverse` is undefined. */
vks_status invert_dense(struct gauss_jordan *g, struct block inverse);

/* gauss_jordan_report.c: */
extern const vks_gauss_jordan_report gauss_jordan_not_run;

/* Returns the largest of `count` sums of magnitudes on the device; NaN if a sum is NaN. */
vks_status largest_sum(struct device *d, vks_precision p, const struct memory *sums, uint64_t first,
                       uint32_t count, double *largest);

/* Reports the pivots, or why the elimination ended early. */
void report_pivots(struct gauss_jordan *g, const struct elimination *e);
/* Reports the reciprocal condition number from both norms, and the warning. */
void report_condition(struct gauss_jordan *g, double norm, double norm_of_inverse);

/* Fills the report of a failed call, which must not look like a success. */
void gauss_jordan_failed(vks_gauss_jordan_report *report, const char *message);

/* singular.c: appends to the report's detail the rank of a small singular matrix, and whether its equations
 * have a solution. B may be NULL. */
vks_status report_singular(struct gauss_jordan *g, const vks_dense *A, const vks_dense *B);

/* The same after an elimination without a zero pivot, for one right-hand side: if A is singular to the
 * rounding of its entries, X becomes one of many solutions; if there is none, the reason is SINGULAR. */
vks_status solve_nearly_singular(struct gauss_jordan *g, const vks_dense *A, const vks_dense *B,
                                 vks_dense *X);

/* true_residual.c: ||b - A x|| / ||b||, and the same over ||A|| ||x|| + ||b||, in the 1-norm, accurate to the
 * rounding of b. B has one column. */
vks_status true_residual(const vks_dense *A, const vks_dense *B, const vks_dense *X, double *residual,
                         double *backward_error);

/* gauss_jordan_solve.c: overwrites B with the solution, if the report says that there is one. */
vks_status solve_dense(struct gauss_jordan *g, const vks_dense *A, vks_dense *B);

#endif
