/* How a solve ended, in words. */
#include "solvers/report.h"
#include "solvers/residual/projection.h"
#include "solvers/run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const vks_solve_report report_not_run = {.reason = VKS_REASON_NOT_RUN,
                                         .row = UINT32_MAX,
                                         .initial_residual = NAN,
                                         .residual = NAN,
                                         .true_residual = NAN,
                                         .contraction = NAN,
                                         .normal_residual = NAN,
                                         .norm_of_b = NAN,
                                         .history_step = 1};

void report_failure(vks_solve_report *report, const char *message)
{
    *report = report_not_run;
    snprintf(report->detail, sizeof report->detail, "%.*s", (int)sizeof report->detail - 1, message);
}

void report_finding(vks_solve_report *report, const struct finding *f)
{
    report->reason = f->reason;
    report->row = f->row;
    memcpy(report->detail, f->detail, sizeof report->detail);
    memcpy(report->warning, f->warning, sizeof report->warning);
}

/* In f32 a p.Ap that is not positive says little of A once the residual has been lowered. */
vks_reason reason_of(const struct solve *s, uint32_t state)
{
    bool lowered = s->report->true_residual <= s->report->initial_residual / 2;
    if (s->outer.widens && lowered && state == STATE_NOT_POSITIVE)
        return VKS_REASON_STAGNATED;
    switch (state) {
    case STATE_LIMIT:
        return VKS_REASON_ITERATION_LIMIT;
    case STATE_NOT_POSITIVE:
        return VKS_REASON_NOT_POSITIVE_DEFINITE;
    case STATE_NOT_FINITE:
        return VKS_REASON_NOT_FINITE;
    case STATE_DIVERGED:
        return VKS_REASON_DIVERGED;
    case STATE_BREAKDOWN:
        return VKS_REASON_BREAKDOWN;
    default:
        return VKS_REASON_STAGNATED;
    }
}

void tell_not_singular(const struct solve *s)
{
    vks_solve_report *report = s->report;
    const struct progress *p = &s->progress;
    report->reason = isfinite(p->part) ? VKS_REASON_NOT_SINGULAR : VKS_REASON_NOT_FINITE;
    snprintf(report->detail, sizeof report->detail,
             "the part of A x in the null space is %.3g times b, the largest ||A v|| of its unit vectors "
             "%.3g: A is not singular or not symmetric, or the tolerance is below rounding; solve without "
             "--singular",
             p->part / p->b_norm, s->projection->image);
}

/* Says that the detail is about f32, where f64 was given. */
void add_precision(const struct solve *s)
{
    if (s->outer.widens)
        detail_add_f32(s->report->detail, sizeof s->report->detail);
}

/* What the state alone says, where the method has said nothing. */
static void explain_state(const struct solve *s, struct finding *f)
{
    uint32_t k = s->progress.end.control.iteration;
    if (s->report->reason == VKS_REASON_DIVERGED)
        finding_tell(f, "the residual grew by more than %.0e until iteration %u", DIVERGENCE, k);
    else if (s->report->reason == VKS_REASON_STAGNATED && s->outer.widens)
        finding_tell(f, "%u iterations more do not halve the residual", k - s->progress.iterations_before);
}

/* What the last preconditioner did: iterations, and the residual from which they began. */
struct share {
    uint32_t iterations;
    double before;
};

static struct share share_of_last(const struct solve *s)
{
    const vks_solve_report *r = s->report;
    return (struct share){r->iterations - s->progress.iterations_of_attempts,
                          r->attempts > 1 ? r->attempt[r->attempts - 2].true_residual : r->initial_residual};
}

/* NaN: there is no multigrid, or nothing to measure. */
static double mean_factor(const vks_solve_report *r, const struct share *of)
{
    double mean = pow(r->true_residual / of->before, 1.0 / of->iterations);
    return r->hierarchy.levels && of->iterations && isfinite(mean) ? mean : NAN;
}

/* Of a double. */
static const double MOST_DIGITS = 16;

void judge_precond(struct solve *s)
{
    vks_solve_report *r = s->report;
    struct share of = share_of_last(s);
    bool worked = r->reason == VKS_REASON_CONVERGED || r->reason == VKS_REASON_ITERATION_LIMIT;
    bool at_once = r->reason == VKS_REASON_CONVERGED && !of.iterations;
    double digits = worked ? log10(of.before / r->true_residual) : 0;
    if (s->krylov.M && !at_once && r->reason != VKS_REASON_CANCELLED)
        precond_solved(s->krylov.M, of.iterations, fmin(fmax(digits, 0), MOST_DIGITS));
    double mean = mean_factor(r, &of);
    if (!isnan(mean))
        r->contraction = mean;
    if (!s->options.partners)
        report_doubts(s, of.iterations, mean);
}

/* Where no iteration could go on, and A is known to be structurally singular, that is why. */
static void blame_structure(struct solve *s)
{
    vks_solve_report *r = s->report;
    bool stuck = r->reason == VKS_REASON_STAGNATED || r->reason == VKS_REASON_BREAKDOWN ||
                 r->reason == VKS_REASON_DIVERGED;
    if (!stuck || !scaled_is_singular(&s->scaled))
        return;
    r->reason = VKS_REASON_STRUCTURALLY_SINGULAR;
    scaled_tell_rank(&s->scaled, r->detail, sizeof r->detail);
}

void explain(struct solve *s)
{
    const struct progress *p = &s->progress;
    struct ending e = {.last = &p->end,
                       .norm = p->norm,
                       .target = p->target,
                       .normal = p->normal,
                       .rate = s->report->contraction,
                       .reason = s->report->reason};
    struct finding f = {.order = s->finding.order};
    if (s->method->explain)
        s->method->explain(&e, &f);
    if (!f.detail[0])
        explain_state(s, &f);
    memcpy(s->report->detail, f.detail, sizeof f.detail);
    add_precision(s);
    blame_structure(s);
}
