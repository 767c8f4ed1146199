/* The beginning of a solve: the norm of b and the first true residual. */
#include "report/clock.h"
#include "solvers/run/run.h"

#include <math.h>
#include <stdio.h>

/* Begins the first cycle, or ends the solve, once the first true residual is there. */
static vks_status first_cycle(struct solve *s)
{
    struct progress *p = &s->progress;
    vks_solve_report *report = s->report;
    report->initial_residual = report->residual = report->true_residual = relative_residual(p);
    if (isfinite(p->b_norm) && settle(s))
        return end_solve(s);
    bool finite = isfinite(p->norm) && isfinite(p->b_norm);
    if (finding_refuses(&s->finding) && (finite || report->reason == VKS_REASON_NOT_FINITE)) {
        add_precision(s);
        partners_report_refusal(&s->partners, s->finding.reason); /* which this process alone has found */
        return end_solve(s);
    }
    if (!finite) { /* whatever the preconditioner found */
        report->reason = VKS_REASON_NOT_FINITE;
        report->row = UINT32_MAX;
        snprintf(report->detail, sizeof report->detail, "%s not finite from the start",
                 isfinite(p->b_norm) ? "b - A x is" : "the norm of b is");
        return end_solve(s);
    }
    p->norm_at_start = p->norm_of_attempt = p->norm;
    return start_cycle(s);
}

/* Reports the part of b in the null space of A. If the rest of b is as small as rounding errors, it counts as
 * zero. A part beyond the range of doubles is ignored: the norm of b is then not finite either. */
static void leave_out_part(struct solve *s)
{
    struct progress *p = &s->progress;
    double in_null_space = residual_part_of_b(&s->residual), rounding = 1e-14 * in_null_space;
    if (in_null_space == 0 || !isfinite(in_null_space))
        return;
    if (p->b_norm <= rounding)
        p->b_norm = 0;
    s->report->null_component = in_null_space / hypot(in_null_space, p->b_norm);
    if (in_null_space > fmax(s->options.rtol * p->b_norm, s->options.atol))
        snprintf(
            s->report->warning, sizeof s->report->warning,
            "A x = b has no solution: the part of b in the null space of A is %.3g times b; it was left out",
            s->report->null_component);
}

/* Handles b = 0, whose solution is x = 0 unless A is not finite. The rest of a b in the null space is
 * rounding. */
static vks_status zero_measured(struct solve *s)
{
    struct progress *p = &s->progress;
    vks_status status = take_norms(s);
    if (isfinite(p->norm))
        p->norm = p->part = 0;
    return status ? status : first_cycle(s);
}

static vks_status measured(struct solve *s)
{
    struct progress *p = &s->progress;
    vks_status status = residual_norm_of_b(&s->residual, &p->b_norm);
    if (!status)
        leave_out_part(s);
    s->report->norm_of_b = p->b_norm;
    p->target = fmax(s->options.rtol * p->b_norm, s->options.atol);
    if (!status)
        status = take_norms(s);
    return status ? status : p->then(s);
}

static vks_status clear_if_zero(struct solve *s)
{
    uint64_t ticket;
    if (s->progress.b_norm != 0)
        return first_cycle(s);
    vks_status status = rec_submit(&s->clear, &ticket);
    if (!status)
        status = measure_residual(s, &ticket);
    return status ? status : await(s, ticket, zero_measured);
}

vks_status measure_first(struct solve *s, step then)
{
    uint64_t ticket = 0;
    s->progress.then = then;
    vks_status status = residual_measure_b(&s->residual, &ticket);
    if (!status)
        status = measure_residual(s, &ticket);
    return status ? status : await(s, ticket, measured);
}

vks_status solve_begin(struct solve *s)
{
    uint64_t ticket = 0;
    s->progress =
        (struct progress){.begun = clock_seconds(), .sigma = 1, .norm_at_start = INFINITY, .tightening = 1};
    s->krylov.starts = 0;
    set_goal(s, 0, NULL, 0);
    vks_status status = s->options.zero_guess ? rec_submit(&s->clear, &ticket) : VKS_OK;
    return solve_judge(s, status ? status : measure_first(s, clear_if_zero));
}
