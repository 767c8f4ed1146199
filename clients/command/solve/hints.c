#include "command/solve/hints.h"
#include "command/shared/words.h"

#include <math.h>

/* Suggests the tolerance that was reached, rounded up to one digit. */
static void print_f32_hint(double reached, FILE *to)
{
    double unit = pow(10, floor(log10(reached)));
    double rtol = ceil(reached / unit) * unit;
    fprintf(to, "hint        f32 reached %s; ", words_number(reached).text);
    if (rtol <= 1) /* false for a NaN */
        fprintf(to, "ask for --rtol %s, or ", words_number(rtol).text);
    fprintf(to, "use --precision f64\n");
}

/* Whether more precision may help: not after a limit or a signal. */
static bool was_beyond_f32(vks_reason reason)
{
    return reason != VKS_REASON_CONVERGED && reason != VKS_REASON_ITERATION_LIMIT &&
           reason != VKS_REASON_CANCELLED;
}

/* Whether A itself is known to be singular, not only a block of it. */
static bool is_singular(const struct solve_job *job)
{
    vks_reason reason = job->report.reason;
    bool judges_A = job->set.method == VKS_METHOD_AUTO || solves_at_once(job->set.method);
    return reason == VKS_REASON_STRUCTURALLY_SINGULAR || (reason == VKS_REASON_SINGULAR && judges_A);
}

/* Whether all attempts of the automatic method have failed. */
static bool has_given_up(const struct solve_job *job)
{
    vks_reason reason = job->report.reason;
    return job->set.method == VKS_METHOD_AUTO && solve_precision(job) != VKS_F32 && job->report.attempts &&
           job->a.rows == job->a.cols && !job->set.max_iterations &&
           (reason == VKS_REASON_STAGNATED || reason == VKS_REASON_ITERATION_LIMIT ||
            reason == VKS_REASON_BREAKDOWN);
}

/* A matrix that looked positive definite; of any other a warning says it. */
static bool cg_met_an_indefinite_A(const struct solve_job *job)
{
    return job->set.method == VKS_METHOD_CG && job->suits_cg && !job->set.singular &&
           job->report.reason == VKS_REASON_NOT_POSITIVE_DEFINITE;
}

/* Whether the user named a method, and auto may do better. */
static bool was_chosen_in_vain(const struct solve_job *job)
{
    vks_reason reason = job->report.reason;
    return job->set.method != VKS_METHOD_AUTO && !cg_met_an_indefinite_A(job) && !job->set.max_iterations &&
           (reason == VKS_REASON_STAGNATED || reason == VKS_REASON_ITERATION_LIMIT ||
            reason == VKS_REASON_BREAKDOWN || reason == VKS_REASON_DIVERGED);
}

void solve_print_hints(const struct solve_job *job, FILE *to)
{
    const vks_solve_report *r = &job->report;
    if (r->reason == VKS_REASON_STAGNATED && solve_precision(job) == VKS_F32)
        print_f32_hint(r->true_residual, to);
    if (is_singular(job))
        fprintf(to, "hint        --method lsmr finds a least-squares solution\n");
    if (has_given_up(job))
        fprintf(to, "hint        --method direct solves by sparse factors, where UMFPACK is installed\n");
    if (cg_met_an_indefinite_A(job))
        fprintf(to, "hint        --method minres or idr takes an A that is not positive definite; "
                    "--method auto without --precond tries both\n");
    if (was_chosen_in_vain(job))
        fprintf(to, "hint        without --method and --precond several are tried in turn\n");
    if (r->reason == VKS_REASON_ZERO_DIAGONAL)
        fprintf(to, "hint        vksolve check %s tells which rows have none\n", job->path);
    if (job->in_f32 && was_beyond_f32(r->reason))
        fprintf(to, "hint        this was in f32; use --%s\n", r->in_pairs ? "device host" : "precision f64");
}
