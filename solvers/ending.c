/* How a solve ended, and what there is to tell of it. */
#include "solvers/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In f32 a p.Ap that is not positive says little of A once the residual has been lowered. */
vks_reason reason_of(const struct solve *s, uint32_t state)
{
    bool lowered = s->report->true_residual <= s->report->initial_residual / 2;
    if (s->refinement.is && lowered && state == STATE_NOT_POSITIVE)
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
    default:
        return VKS_REASON_STAGNATED;
    }
}

/* The end of a method that knows by what an iteration multiplies the residual. */
static void explain_rate(const struct solve *s)
{
    vks_solve_report *report = s->report;
    const struct snapshot *end = &s->course.end;
    uint32_t k = end->control.iteration;
    double rate = report->contraction, left = log(s->course.target / s->course.norm) / log(rate);
    char *text = report->detail;
    size_t room = sizeof report->detail;
    if (!isfinite(end->number[NUMBER_RR]))
        snprintf(text, room, "the residual left the range of its precision in the %u iterations before %u",
                 s->method->steps, k);
    else if (report->reason == VKS_REASON_DIVERGED)
        snprintf(text, room, "the residual grows by %.6g an iteration", rate);
    else if (report->reason == VKS_REASON_STAGNATED)
        snprintf(text, room, "an iteration multiplies the residual by %.6g, no longer by less", rate);
    else if (report->reason == VKS_REASON_ITERATION_LIMIT && rate < 1 && s->course.target > 0)
        snprintf(text, room, "an iteration multiplies the residual by %.6g: about %.0f would be needed", rate,
                 k + ceil(left));
    else if (report->reason == VKS_REASON_ITERATION_LIMIT && !isnan(rate))
        snprintf(text, room, "an iteration multiplies the residual by %.6g", rate);
}

/* The part is more than rounding, or is no number. */
void tell_not_singular(const struct solve *s)
{
    vks_solve_report *report = s->report;
    const struct course *c = &s->course;
    report->reason = isfinite(c->part) ? VKS_REASON_NOT_SINGULAR : VKS_REASON_NOT_FINITE;
    snprintf(report->detail, sizeof report->detail,
             "the part of A x in the null space is %.3g times b, the largest ||A v|| of its unit vectors "
             "%.3g: A is not singular or not symmetric, or the tolerance is below rounding; solve without "
             "--singular",
             c->part / c->b_norm, s->null_space.image);
}

/* What there is to tell is about f32, where f64 was given. */
void add_f32(const struct solve *s)
{
    size_t used = strlen(s->report->detail);
    if (used && s->refinement.is)
        snprintf(s->report->detail + used, sizeof s->report->detail - used, ", in f32");
}

void explain(const struct solve *s)
{
    vks_solve_report *report = s->report;
    const struct snapshot *end = &s->course.end;
    uint32_t k = end->control.iteration;
    double pq = end->number[NUMBER_PQ], rho = end->number[NUMBER_RHO];
    bool not_positive = end->control.state == STATE_NOT_POSITIVE;
    char *text = report->detail;
    if (s->method->contraction)
        explain_rate(s);
    else if (not_positive && rho < 0)
        snprintf(text, sizeof report->detail, "r.z = %.3e in iteration %u", rho, k);
    else if (not_positive)
        snprintf(text, sizeof report->detail, "p.Ap = %.3e in iteration %u", pq, k + 1);
    else if (report->reason == VKS_REASON_NOT_FINITE)
        snprintf(text, sizeof report->detail, "a NaN or an infinity appeared in iteration %u",
                 pq > 0 && isfinite(pq) ? k : k + 1);
    else if (report->reason == VKS_REASON_DIVERGED)
        snprintf(text, sizeof report->detail, "the residual grew by more than %.0e until iteration %u",
                 DIVERGENCE, k);
    else if (report->reason == VKS_REASON_STAGNATED && s->refinement.is)
        snprintf(text, sizeof report->detail, "%u iterations more do not halve the residual",
                 k - s->course.iterations_before);
    add_f32(s);
}
