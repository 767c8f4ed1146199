#include "solvers/whole.h"
#include "report/clock.h"
#include "solvers/report.h"

#include <math.h>
#include <stdio.h>

/* The true residual decides, and in double precision. */
static vks_status measured(struct solve *s)
{
    const struct progress *p = &s->progress;
    vks_solve_report *r = s->report;
    r->initial_residual = p->b_norm != 0;
    r->true_residual = relative_residual(p);
    if (settle(s))
        return has_ended(s);
    if (isfinite(p->norm)) {
        r->reason = VKS_REASON_STAGNATED;
        snprintf(r->detail, sizeof r->detail, "the true residual is %.3g, and refinement does not lower it",
                 r->true_residual);
    } else {
        r->reason = VKS_REASON_NOT_FINITE;
        snprintf(r->detail, sizeof r->detail, "the solution overflows");
    }
    return has_ended(s);
}

static vks_status measure(struct solve *s)
{
    vks_status status = csr_acquire(s->equation.A);
    if (!status)
        status = residual_open(&s->residual);
    s->progress = (struct progress){.begun = clock_seconds(), .sigma = 1};
    if (!status)
        status = measure_first(s, measured);
    if (!status)
        status = solve_advance(s, INFINITY);
    residual_close(&s->residual);
    csr_release(s->equation.A);
    return status;
}

vks_status solve_whole(struct solve *s)
{
    vks_solve_report *r = s->report;
    struct whole_report w = {0};
    double begun = clock_seconds();
    vks_status status = s->method->whole(&s->equation, &w, &s->finding);
    if (status)
        return status;
    report_finding(r, &s->finding);
    r->iterations = w.iterations;
    r->residual = w.residual;
    if (w.solved)
        status = measure(s);
    r->seconds_solve = w.seconds_solve;
    r->seconds_setup = clock_seconds() - begun - w.seconds_solve;
    return status;
}
