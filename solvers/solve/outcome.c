/* The outcome of a solve in words, and its consequences. */
#include "solvers/solve/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reports a known structural singularity of A as the cause if iterations got stuck. */
void report_structural_singularity(struct solve *s)
{
    vks_solve_report *r = s->it.column.report;
    bool stuck = r->reason == VKS_REASON_STAGNATED || r->reason == VKS_REASON_BREAKDOWN ||
                 r->reason == VKS_REASON_DIVERGED;
    if (!stuck || !scaled_is_singular(&s->scaled))
        return;
    r->reason = VKS_REASON_STRUCTURALLY_SINGULAR;
    scaled_describe_rank(&s->scaled, r->detail, sizeof r->detail);
}

static bool eliminated(const vks_solve_report *r)
{
    for (uint32_t i = 0; i < r->attempts; i++)
        if (r->attempt[i].method == VKS_METHOD_GAUSS_JORDAN && r->attempt[i].reason == VKS_REASON_SINGULAR)
            return true;
    return false;
}

/* Reports a singular A that any attempt detected as the cause of the failure, however the last one ended. */
void report_singularity(struct solve *s)
{
    vks_solve_report *r = s->it.column.report;
    uint32_t rows = s->equation.A->csr.n, rank = r->structural_rank;
    char before[sizeof r->detail];
    bool lacks_rank = rank && rank < rows;
    bool is_reported =
        r->reason == VKS_REASON_STRUCTURALLY_SINGULAR || (r->reason == VKS_REASON_SINGULAR && !lacks_rank);
    if (is_reported || (!lacks_rank && !eliminated(r)))
        return;
    memcpy(before, r->detail, sizeof before);
    const char *then = before[0] ? "; " : "";
    if (lacks_rank) {
        r->reason = VKS_REASON_STRUCTURALLY_SINGULAR;
        snprintf(r->detail, sizeof r->detail, "structural rank %u of %u%s%.200s", rank, rows, then, before);
    } else {
        r->reason = VKS_REASON_SINGULAR;
        snprintf(r->detail, sizeof r->detail, "elimination found A singular%s%.200s", then, before);
    }
}

void report_unrefined(struct solve *s)
{
    vks_solve_report *r = s->it.column.report;
    if (isfinite(s->it.column.norm)) {
        r->reason = VKS_REASON_STAGNATED;
        snprintf(r->detail, sizeof r->detail, "the true residual is %.3g, and refinement does not lower it",
                 r->true_residual);
    } else {
        r->reason = VKS_REASON_NOT_FINITE;
        snprintf(r->detail, sizeof r->detail, "the solution overflows");
    }
}

void accept_one_norm(struct solve *s)
{
    vks_solve_report *r = s->it.column.report;
    bool decided = r->reason == VKS_REASON_CONVERGED || r->reason == VKS_REASON_CANCELLED;
    if (decided || !column_meets_plain_alone(&s->it.column))
        return;
    if (r->reason == VKS_REASON_ITERATION_LIMIT) {
        snprintf(
            r->detail, sizeof r->detail,
            "||b - A x|| is %.2g of b, but %.2g with the rows divided by their sizes, which differ by %.1e",
            r->true_residual, r->scaled_residual, r->row_range);
        return;
    }
    r->reason = VKS_REASON_CONVERGED;
    r->row = UINT32_MAX;
    r->detail[0] = 0;
    column_warn_of_norms(&s->it.column, "was not reached");
}

/* Iterations with the last preconditioner, and the residual before them. */
struct share {
    uint32_t iterations;
    double before;
};

static struct share share_of_last(const struct solve *s)
{
    const vks_solve_report *r = s->it.column.report;
    return (struct share){r->iterations - s->row.iterations,
                          r->attempts > 1 ? r->attempt[r->attempts - 2].true_residual : r->initial_residual};
}

/* Returns the mean factor of an iteration; NaN: no multigrid, or no iterations to measure. */
static double mean_factor(const vks_solve_report *r, const struct share *of)
{
    if (!r->hierarchy.levels || !of->iterations || !isgreater(of->before, 0))
        return NAN;
    double mean = pow(r->true_residual / of->before, 1.0 / of->iterations);
    return isfinite(mean) ? mean : NAN;
}

/* Decimal digits by which the residual fell, at most those of a double. */
static double digits_won(double before, double after)
{
    static const double most = 16;
    if (!isgreater(before, after))
        return 0;
    return after > 0 ? fmin(log10(before / after), most) : most;
}

void report_precond_outcome(struct solve *s)
{
    vks_solve_report *r = s->it.column.report;
    const struct precond *M = s->it.krylov.M;
    struct share of = share_of_last(s);
    bool worked = r->reason == VKS_REASON_CONVERGED || r->reason == VKS_REASON_ITERATION_LIMIT;
    bool at_once = r->reason == VKS_REASON_CONVERGED && !of.iterations;
    if (M && !at_once && r->reason != VKS_REASON_CANCELLED)
        precond_solved(M, of.iterations, worked ? digits_won(of.before, r->true_residual) : 0);
    double mean = mean_factor(r, &of);
    if (!isnan(mean))
        r->contraction = mean;
    if (!s->options.partners)
        add_failure_hints(s, of.iterations, mean);
}
